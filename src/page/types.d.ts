// Shapes that the modules share. This file is not served. What the service sends is in README.md, "The HTTP interface".

/** A message and its answer, in the open conversation. */
export interface Turn {
  /** The message id, so that sending it again is the same message. */
  id: string;
  at: string;
  message: string;
  answer: string;
  state: 'sending' | 'failed' | 'done';
  /** What the service is doing, in words. */
  status?: string;
  problem?: Error;
  question?: { text: string; options?: string[]; missing?: string[] };
  /** Ids of proposals that were shown or decided. */
  proposals: string[];
  /** Of this visit; history has no replies. */
  reply?: any;
  isNew?: boolean;
}

/** What the page knows of a proposal. */
export interface Card {
  /** A ProposalView, as the service last told it. None until it was read. */
  view?: any;
  /** Keys of rows that the person left out and that were not sent yet, and the operations by key. */
  leftOut: Set<string>;
  numbers?: Record<string, any>;
  /** The decision that is being sent. */
  busy?: 'confirm' | 'reject' | 'stop' | 'edit';
  progress?: { done: number; skipped: number; total: number };
  /** Why the last decision had no effect, in words. */
  problem?: string;
  /** What the write left of budgets. */
  budgets?: any[];
  /** Why it could not be read. */
  unread?: string;
  /** Decided in this page. */
  here?: boolean;
  /** Decided, but not in this page. */
  elsewhere?: boolean;
}
