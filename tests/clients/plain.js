/**
 * The same value with names in place of ids, fingerprints and times, in the order of their appearance, so that whole
 * values can be compared.
 */
export function plain(value) {
  const names = new Map();
  const named = (kind, text) => {
    if (!names.has(text)) names.set(text, `${kind}${[...names.values()].filter((name) => name.startsWith(kind)).length + 1}`);
    return names.get(text);
  };
  const replace = (text) => text
    .replace(/[0-9a-f]{64}/g, (found) => named('fingerprint', found))
    .replace(/[0-9a-f]{32}/g, (found) => named('id', found))
    .replace(/(?<=\d\.)[0-9a-f]{8}\b/g, (found) => named('showing', found))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  const walk = (thing) => {
    if (typeof thing === 'string') return replace(thing);
    if (Array.isArray(thing)) return thing.map(walk);
    if (thing && typeof thing === 'object') {
      return Object.fromEntries(Object.entries(thing).filter(([, one]) => one !== undefined).map(([name, one]) => [name, walk(one)]));
    }
    return thing;
  };
  return walk(value);
}
