//! What a model is told of each tool. The types of the arguments say it; the deployed program has it written down in
//! `specs.json`, so that it starts without making the same schemas again. A test compares the two.

use super::RegistryError;
use crate::model::ToolSpec;

#[cfg(not(feature = "local"))]
pub(super) use committed::{spec, spec_of_action};
#[cfg(feature = "local")]
pub(super) use generated::{spec, spec_of_action};

#[cfg(feature = "local")]
mod generated {
    use schemars::{JsonSchema, generate::SchemaSettings};
    use serde_json::{Value, value::to_raw_value};

    use super::{RegistryError, ToolSpec};
    use crate::tool::registry::unsure;

    pub fn spec<T: JsonSchema>(name: &'static str) -> Result<ToolSpec, RegistryError> {
        with_schema(name, schema::<T>())
    }

    /// With the argument by which a model says that it guesses.
    pub fn spec_of_action<T: JsonSchema>(name: &'static str) -> Result<ToolSpec, RegistryError> {
        with_schema(name, unsure::offered(schema::<T>()))
    }

    fn schema<T: JsonSchema>() -> Value {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        settings.into_generator().into_root_schema_for::<T>().to_value()
    }

    fn with_schema(name: &'static str, mut parameters: Value) -> Result<ToolSpec, RegistryError> {
        let description = parameters.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = to_raw_value(description).expect("a text is JSON");
        if parameters.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Err(RegistryError::OpenArguments(name));
        }
        if let Some(fields) = parameters.as_object_mut() {
            fields.remove("title");
            fields.remove("description");
        }
        let parameters = to_raw_value(&parameters).expect("a schema is JSON");
        Ok(ToolSpec { name, description, parameters })
    }
}

#[cfg(not(feature = "local"))]
mod committed {
    use std::{collections::BTreeMap, sync::LazyLock};

    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::value::RawValue;

    use super::{RegistryError, ToolSpec};

    #[derive(Deserialize)]
    struct Committed {
        #[serde(borrow)]
        description: &'static RawValue,
        #[serde(borrow)]
        parameters: &'static RawValue,
    }

    static COMMITTED: LazyLock<BTreeMap<&str, Committed>> = LazyLock::new(|| {
        serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/specs.json"))).expect("the specs of the tools")
    });

    #[expect(clippy::extra_unused_type_parameters, reason = "the type says it, if the specs are generated")]
    pub fn spec<T: JsonSchema>(name: &'static str) -> Result<ToolSpec, RegistryError> {
        let Committed { description, parameters } = COMMITTED.get(name).ok_or(RegistryError::NoSpec(name))?;
        Ok(ToolSpec { name, description: (*description).to_owned(), parameters: (*parameters).to_owned() })
    }

    pub fn spec_of_action<T: JsonSchema>(name: &'static str) -> Result<ToolSpec, RegistryError> {
        spec::<T>(name)
    }
}
