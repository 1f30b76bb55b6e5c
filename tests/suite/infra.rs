//! Compares the expanded deployment template with the program: the resources, permissions, settings and routes that it
//! defines with those that the program uses.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use sayso::{
    config::Config,
    http::openapi::{self, Route},
    local::{EmbeddedDynamoDb, Storage},
    outbound::{Connection, Outbound},
    store::{Store, keys, table},
};
use serde_json::{Value, json};

use crate::harness::{Setup, concepts::Concepts, wire::Call};

const TABLE: &str = "sayso";

/// The table properties that `CreateTable` accepts. The others are set by separate calls.
const SCHEMA: [&str; 5] =
    ["AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema", "LocalSecondaryIndexes"];

/// A signature must be present; it is not verified.
const SIGNATURE: &str =
    "AWS4-HMAC-SHA256 Credential=local/20261121/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0";

/// Variables that the program reads but the template does not set.
const NOT_DEPLOYED: [&str; 4] = ["EMBEDDINGS_API_KEY", "LOCAL_ADDR", "LOCAL_DATA", "MODEL_API_KEY"];

#[tokio::test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
async fn the_template_makes_the_table_that_the_store_uses() {
    let mut properties = resource("Table")["Properties"].take();
    let properties = properties.as_object_mut().expect("properties");
    let mut request: BTreeMap<String, Value> =
        SCHEMA.iter().map(|name| (name.to_string(), properties.remove(*name).expect("a part of its schema"))).collect();
    request.insert("TableName".into(), TABLE.into());
    let from_template = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
    call(&from_template, "CreateTable", &json!(request)).await;
    let from_code = EmbeddedDynamoDb::start(Storage::Memory).expect("an embedded database");
    let store = Store::new(from_code.service(), TABLE);
    table::create_if_absent(&store.client(), TABLE).await.expect("a table");
    assert_eq!(description(&from_template).await, description(&from_code).await);

    let rest = json!({
        "TableName": { "Ref": "TableName" },
        "TimeToLiveSpecification": { "AttributeName": keys::TTL, "Enabled": true },
        "PointInTimeRecoverySpecification": { "PointInTimeRecoveryEnabled": true },
        "DeletionProtectionEnabled": true,
        "SSESpecification": { "SSEEnabled": true },
    });
    assert_eq!(json!(properties), rest);
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn resources_with_data_outlive_the_stack() {
    let template = template();
    let resources = template["Resources"].as_object().expect("resources");
    let kept = resources.iter().filter(|(_, resource)| {
        ["DeletionPolicy", "UpdateReplacePolicy"].iter().all(|policy| resource[policy] == "Retain")
    });
    assert_eq!(
        kept.map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>(),
        BTreeSet::from(["EmbeddingsKey", "ModelKey", "Table"])
    );
}

#[tokio::test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
async fn the_function_has_exactly_the_permissions_that_the_store_needs() {
    let (by_function, by_sweeper) = calls_of_a_busy_day().await;
    let logs = |group: &str| {
        let arn = format!(r#"{{"Fn::GetAtt":["{group}","Arn"]}}"#);
        ["logs:CreateLogStream", "logs:PutLogEvents"].map(|action| (action.to_owned(), arn.clone()))
    };
    let key = |name: &str| ("secretsmanager:GetSecretValue".to_owned(), format!(r#"{{"Ref":"{name}"}}"#));
    let needed = |calls: &[Call]| calls.iter().flat_map(permissions).collect::<BTreeSet<_>>();
    let function =
        needed(&by_function).into_iter().chain(logs("FunctionLogs")).chain(["ModelKey", "EmbeddingsKey"].map(key));
    assert_eq!(role("Role"), function.collect());
    let sweeper = needed(&by_sweeper).into_iter().chain(logs("SweeperLogs")).chain([key("EmbeddingsKey")]);
    assert_eq!(role("SweeperRole"), sweeper.collect());
}

/// The permissions of a role.
fn role(name: &str) -> BTreeSet<(String, String)> {
    let mut policy = resource(name)["Properties"]["Policies"].take();
    assert_eq!(resource(name)["Properties"].get("ManagedPolicyArns"), None);
    assert_eq!(policy.as_array().map(Vec::len), Some(1));
    let statements = policy[0]["PolicyDocument"]["Statement"].take();
    statements.as_array().expect("statements").iter().flat_map(granted).collect()
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn the_sweeper_is_the_same_program_run_every_minute_and_its_silence_is_an_alarm() {
    let (function, sweeper) = (resource("Function"), resource("Sweeper"));
    for same in ["Handler", "Runtime", "Architectures", "MemorySize"] {
        assert_eq!(sweeper["Properties"][same], function["Properties"][same], "{same}");
    }
    assert_eq!(sweeper["Metadata"]["BuildProperties"], function["Metadata"]["BuildProperties"]);
    let schedule = &resource("SweeperEveryMinute")["Properties"];
    assert_eq!((&schedule["ScheduleExpression"], &schedule["State"]), (&json!("rate(1 minute)"), &json!("ENABLED")));
    let filter = &resource("StuckRunsMetric")["Properties"];
    assert_eq!(filter["FilterPattern"], "{ $.fields.stuck_runs = * }");
    assert_eq!(filter["MetricTransformations"][0]["MetricValue"], "$.fields.stuck_runs");
    let alarm = &resource("StuckRunsAlarm")["Properties"];
    let metric = &filter["MetricTransformations"][0];
    assert_eq!((&alarm["MetricName"], &alarm["Namespace"]), (&metric["MetricName"], &metric["MetricNamespace"]));
    assert_eq!((&alarm["TreatMissingData"], &alarm["Threshold"]), (&json!("breaching"), &json!(0)));
    // One value is enough.
    assert_eq!(
        [&alarm["Statistic"], &alarm["Period"], &alarm["EvaluationPeriods"], &alarm["DatapointsToAlarm"]],
        [&json!("Maximum"), &json!(300), &json!(1), &Value::Null]
    );
    let halted = &resource("HaltedRunsMetric")["Properties"];
    assert_eq!(halted["LogGroupName"], json!({ "Ref": "FunctionLogs" }));
    assert_eq!(halted["FilterPattern"], "{ $.fields.message = \"a run ended early*\" }");
    let counted = &halted["MetricTransformations"][0];
    assert_eq!(
        (&counted["MetricName"], &counted["MetricNamespace"]),
        (&metric["MetricName"], &metric["MetricNamespace"])
    );
    assert_eq!(counted["MetricValue"], "1");
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn traces_are_the_only_permission_that_can_be_added() {
    let template = template();
    let resources = template["Resources"].as_object().expect("resources");
    let about_permissions = resources.iter().filter(|(_, resource)| {
        resource["Type"].as_str().is_some_and(|kind| kind.starts_with("AWS::IAM::") || kind.ends_with("Policy"))
    });
    let names: Vec<&str> = about_permissions.map(|(name, _)| name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.starts_with("SweeperEveryMinute")).collect();
    assert_eq!(names, ["Role", "SweeperRole", "TracePolicy"]);
    let traces = &resources["TracePolicy"];
    assert_eq!(traces["Condition"], "Traces");
    let statement = json!([{
        "Effect": "Allow",
        "Action": ["xray:PutTelemetryRecords", "xray:PutTraceSegments"],
        "Resource": "*",
    }]);
    assert_eq!(traces["Properties"]["PolicyDocument"]["Statement"], statement);
    assert_eq!(template["Parameters"]["Tracing"]["Default"], "PassThrough");
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn the_program_accepts_every_setting_that_the_template_allows() {
    let template = template();
    let read = RefCell::new(BTreeSet::new());
    let mut set = BTreeSet::new();
    for environment in environments(&template) {
        let look_up = |name: &str| {
            if !name.starts_with("AWS_") {
                read.borrow_mut().insert(name.to_owned());
            }
            environment.get(name).cloned()
        };
        Config::read(look_up).expect("what the template allows");
        set.extend(environment.into_keys());
    }
    set.extend(NOT_DEPLOYED.map(str::to_owned));
    assert_eq!(set, read.into_inner());
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn every_route_of_somebodys_data_needs_a_token() {
    let paths = resource("Api")["Properties"]["Body"]["paths"].take();
    let routes: BTreeMap<String, Value> = paths
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, methods)| methods.as_object().expect("methods").iter().map(move |route| (path, route)))
        .map(|(path, (method, route))| (format!("{method} {}", path.replace("+}", "}")), route["security"].clone()))
        .collect();
    let described = openapi::routes().into_iter().map(|Route { method, path, is_open, .. }| {
        let security = if is_open { json!([{ "NONE": [] }]) } else { json!([{ "Token": [] }]) };
        (format!("{method} {path}"), security)
    });
    assert_eq!(routes, described.collect());
    let authorizer = &resource("Api")["Properties"]["Body"]["components"]["securitySchemes"]["Token"];
    let expected = json!({
        "type": "jwt",
        "identitySource": "$request.header.Authorization",
        "jwtConfiguration": { "issuer": { "Ref": "JwtIssuer" }, "audience": { "Ref": "JwtAudience" } },
    });
    assert_eq!(authorizer["x-amazon-apigateway-authorizer"], expected);
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn only_people_of_the_user_pool_can_have_answers_streamed() {
    let template = template();
    let resources = template["Resources"].as_object().expect("resources");
    let mut streaming = resources.iter().filter(|(name, _)| name.starts_with("Stream"));
    assert!(streaming.all(|(_, resource)| resource["Condition"] == "Streams"));
    assert_eq!(template["Parameters"]["StreamUserPool"]["Default"], "", "off by default");
    let definition = &resources["StreamApi"]["Properties"]["Body"];
    let mut routes = BTreeMap::new();
    for (path, methods) in definition["paths"].as_object().expect("paths") {
        for (method, route) in methods.as_object().expect("methods") {
            assert_eq!(route["x-amazon-apigateway-integration"]["responseTransferMode"], "STREAM", "{path}");
            routes.insert(format!("{method} {path}"), route["security"].clone());
        }
    }
    let open = openapi::routes().into_iter().filter(|route| route.is_open);
    let in_template = |path: &str| match path.strip_prefix("/.well-known/") {
        Some(_) => "/.well-known/{proxy+}".to_owned(),
        None => path.replace("{file}", "{proxy+}"),
    };
    let open = open.map(|route| (format!("get {}", in_template(route.path)), Value::Null));
    let other = ("x-amazon-apigateway-any-method /{proxy+}".to_owned(), json!([{ "Token": [] }]));
    assert_eq!(routes, open.chain([other]).collect());
    let token = &definition["components"]["securitySchemes"]["Token"];
    let expected = json!({ "type": "cognito_user_pools", "providerARNs": [{ "Ref": "StreamUserPool" }] });
    assert_eq!(token["x-amazon-apigateway-authorizer"], expected);
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn the_configured_origin_may_send_and_read_the_headers_of_the_api() {
    let cors = resource("Api")["Properties"]["Body"]["x-amazon-apigateway-cors"].take();
    let named = json!({
        // Parameters have their defaults here.
        "allowOrigins": [""],
        "allowMethods": ["GET", "POST"],
        "allowHeaders": ["authorization", "content-type", "idempotency-key", "if-none-match"],
        "exposeHeaders": ["etag", "retry-after"],
        "maxAge": 600,
    });
    assert_eq!(cors, json!({ "Fn::If": ["HasPages", named, { "Ref": "AWS::NoValue" }] }));
}

#[test]
#[ignore = "it needs the tools of SAM: `make template-test`"]
fn the_deployment_contains_no_model_key() {
    let files: Vec<PathBuf> =
        fs::read_dir(root().join("infra")).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    let files: Vec<PathBuf> = files.into_iter().filter(|path| path.is_file()).collect();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        for word in ["MODEL_API_KEY", "EMBEDDINGS_API_KEY", "SecretString", "GenerateSecretString"] {
            assert!(!text.contains(word), "{} names {word}", file.display());
        }
    }
}

/// The store calls of usual requests.
async fn calls_of_a_busy_day() -> (Vec<Call>, Vec<Call>) {
    let concepts = Concepts::start().await;
    let service = Setup { embeddings: Some(concepts.client("m")), ..Setup::default() }.start().await;
    let me = service.person();
    let say = |message: &str| json!({ "message": message, "messageId": message });
    me.chat(say("I want to add an item")).await;
    let proposal = me.chat(say("electricity bill, £200")).await["proposal"].clone();
    me.get(&format!("/proposals/{}", proposal["id"].as_str().expect("an id"))).await;
    for message in [
        "yes",
        "lunch 12",
        "no",
        "change the electricity bill to 210",
        "how much did I spend?",
        "anything like a gift?",
    ] {
        me.says(message).await;
    }
    me.get("/expenses").await;
    // In a tenant with others, a list of one's own has an index.
    service.who("demo", "ann", "member").says("hello").await;
    me.get("/expenses?whose=me").await;
    me.get("/expenses/1").await;
    me.says("delete the electricity bill").await;
    me.says("yes").await;
    let before = service.wire.take().0;
    service.fill(150).await;
    service.wire.take();
    let say = |message: &str| json!({ "message": message, "conversationId": "another" });
    for message in ["delete everything", "yes", "undo that"] {
        service.advance(Duration::from_secs(1));
        me.chat(say(message)).await;
    }
    service.grant(Duration::from_millis(7_900));
    let begun = me.post("/chat", say("yes")).await;
    assert_eq!(begun.status, 202, "{}", begun.body);
    let by_function = [before, service.wire.take().0].concat();
    service.advance(Duration::from_secs(60));
    service.sweep().await;
    (by_function, service.wire.take().0)
}

/// The permissions that a call needs. A transaction needs those of its actions.
fn permissions(call: &Call) -> Vec<(String, String)> {
    let table = r#"{"Fn::GetAtt":["Table","Arn"]}"#.to_owned();
    let index = |name: &str| format!(r#"{{"Fn::Sub":"${{Table.Arn}}/index/{name}"}}"#);
    match call.body["TransactItems"].as_array() {
        Some(items) => {
            let kinds = items.iter().flat_map(|item| item.as_object().expect("an item").keys());
            let action = |kind: &str| match kind {
                "ConditionCheck" => "dynamodb:ConditionCheckItem".to_owned(),
                kind => format!("dynamodb:{kind}Item"),
            };
            kinds.map(|kind| (action(kind), table.clone())).collect()
        }
        None => {
            let resource = call.body["IndexName"].as_str().map_or(table, index);
            vec![(format!("dynamodb:{}", call.operation), resource)]
        }
    }
}

fn granted(statement: &Value) -> Vec<(String, String)> {
    assert_eq!(statement["Effect"], "Allow");
    let resources = many(&statement["Resource"]);
    let pairs = many(&statement["Action"]).into_iter().flat_map(|action| {
        let action = action.as_str().expect("an action").to_owned();
        resources.iter().map(move |resource| (action.clone(), resource.to_string()))
    });
    pairs.collect()
}

fn many(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_else(|| vec![value.clone()])
}

/// The function's environment with every parameter's default, and then with each allowed value of each parameter.
fn environments(template: &Value) -> Vec<BTreeMap<String, String>> {
    let variables = &resource("Function")["Properties"]["Environment"]["Variables"];
    let variables: BTreeMap<String, Value> = serde_json::from_value(variables.clone()).expect("variables");
    let parameter = |value: &Value| template["Parameters"].get(value["Ref"].as_str()?).cloned();
    let default = |value: &Value| match parameter(value) {
        // A rule of the template: a remote model has a name.
        Some(_) if value["Ref"] == "ModelName" => "a-model".to_owned(),
        // The only one without a default.
        Some(_) if value["Ref"] == "JwtIssuer" => "https://issuer.example.com".to_owned(),
        Some(parameter) => match &parameter["Default"] {
            Value::Number(number) => number.to_string(),
            text => text.as_str().expect("a default").to_owned(),
        },
        // Nothing, unless a parameter turns it on.
        None if value.get("Fn::If").is_some() => String::new(),
        // A literal, or the name of a resource.
        None => value.as_str().unwrap_or(TABLE).to_owned(),
    };
    let defaults: BTreeMap<String, String> =
        variables.iter().map(|(name, value)| (name.clone(), default(value))).collect();
    let mut all = vec![defaults.clone()];
    for (name, value) in &variables {
        let allowed = parameter(value).and_then(|parameter| parameter["AllowedValues"].as_array().cloned());
        for allowed in allowed.unwrap_or_default() {
            let mut environment = defaults.clone();
            environment.insert(name.clone(), allowed.as_str().expect("text").to_owned());
            all.push(environment);
        }
    }
    all
}

/// The table as the database describes it, without what differs between databases.
async fn description(dynamodb: &EmbeddedDynamoDb) -> Value {
    let mut table = call(dynamodb, "DescribeTable", &json!({ "TableName": TABLE })).await["Table"].take();
    let fields = table.as_object_mut().expect("a table");
    for own in ["CreationDateTime", "TableId"] {
        fields.remove(own);
    }
    table
}

async fn call(dynamodb: &EmbeddedDynamoDb, operation: &str, body: &Value) -> Value {
    let request = http::Request::post(dynamodb.endpoint())
        .header("content-type", "application/x-amz-json-1.0")
        .header("authorization", SIGNATURE)
        .header("x-amz-date", "20261121T000000Z")
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .body(body.to_string().into())
        .expect("a request");
    let response = Outbound::default().send(request).await.expect("the database answers");
    let body = response.body();
    assert!(response.status().is_success(), "{operation}: {body:?}");
    serde_json::from_slice(body).expect("JSON")
}

fn resource(name: &str) -> Value {
    template()["Resources"][name].take()
}

fn template() -> Value {
    let python = root().join(".tools/sam/bin/python");
    assert!(python.is_file(), "{} is not there: `make template-test` installs it", python.display());
    let expanded = Command::new(python)
        .args([root().join("tests/expand_template.py"), root().join("infra/template.yaml")])
        .env("AWS_DEFAULT_REGION", "eu-west-2")
        .output()
        .expect("it runs");
    assert!(expanded.status.success(), "{}", String::from_utf8_lossy(&expanded.stderr));
    serde_json::from_slice(&expanded.stdout).expect("JSON")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
