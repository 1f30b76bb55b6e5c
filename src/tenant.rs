//! The tenant toolkit: settings for everybody who shares the records. Only administrators change them.

use crate::tool::{Registry, RegistryError, Toolkit};

mod set_tenant;
mod setting;

pub fn toolkit() -> Toolkit {
    Toolkit::new("tenant", include_str!("tenant/guidance.md"), register)
}

fn register(registry: Registry) -> Result<Registry, RegistryError> {
    registry.kind(setting::SettingKind)?.action::<set_tenant::SetTenant>()
}
