"""Prints the SAM template as CloudFormation gets it, as JSON."""

import json
import sys

from samcli.yamlhelper import yaml_parse
from samtranslator.translator.transform import transform


class NoManagedPolicies:
    """The template names none; to look them up would take an account."""

    def load(self):
        return {}


with open(sys.argv[1], encoding="utf-8") as file:
    template = yaml_parse(file.read())
# Packaging replaces the path of the code with its place in S3.
for function in ["Function", "Sweeper"]:
    template["Resources"][function]["Properties"]["CodeUri"] = "s3://bucket/key"
print(json.dumps(transform(template, {}, NoManagedPolicies())))
