from agentctl.diagnostics import Related, Report, Span
from agentctl.render.diagnostics_github import diagnostics_github
from agentctl.render.diagnostics_json import diagnostics_json
from agentctl.render.diagnostics_sarif import diagnostics_sarif


def example() -> Report:
    report = Report()
    report.error(
        "unknown-key",
        'unknown key "a,b:c" is 100% wrong\nreally',
        Span(path="teams/a b.yaml", line=3, column=5, end_line=3, end_column=16),
        hint="remove it",
        pointer="/agents/0/a,b:c",
        related=(
            Related(
                span=Span(path="teams/a b.yaml", line=1, column=1, end_line=1, end_column=5),
                message="begins here",
            ),
        ),
    )
    report.warning(
        "overlap",
        "two agents answer the same",
        Span(path="/srv/team.yaml", line=1, column=1, end_line=9, end_column=1),
    )
    return report


def test_json_is_the_object_that_programs_are_promised() -> None:
    assert diagnostics_json(example()) == {
        "diagnostics": [
            {
                "path": "/srv/team.yaml",
                "line": 1,
                "column": 1,
                "end_line": 9,
                "end_column": 1,
                "severity": "warning",
                "code": "overlap",
                "message": "two agents answer the same",
                "hint": None,
                "pointer": "",
            },
            {
                "path": "teams/a b.yaml",
                "line": 3,
                "column": 5,
                "end_line": 3,
                "end_column": 16,
                "severity": "error",
                "code": "unknown-key",
                "message": 'unknown key "a,b:c" is 100% wrong\nreally',
                "hint": "remove it",
                "pointer": "/agents/0/a,b:c",
            },
        ],
        "errors": 1,
        "warnings": 1,
    }


def test_github_commands_escape_what_would_end_them() -> None:
    assert diagnostics_github(example()) == [
        "::warning file=/srv/team.yaml,line=1,endLine=9,title=overlap::two agents answer the same",
        "::error file=teams/a b.yaml,line=3,endLine=3,title=unknown-key,col=5,endColumn=15::"
        'unknown key "a,b:c" is 100%25 wrong%0Areally%0Ahint: remove it',
    ]


def test_sarif_names_rules_places_and_related_places() -> None:
    log = diagnostics_sarif(example(), version="1.2.3")
    assert log == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "agentctl",
                        "version": "1.2.3",
                        "rules": [{"id": "overlap"}, {"id": "unknown-key"}],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    {
                        "ruleId": "overlap",
                        "ruleIndex": 0,
                        "level": "warning",
                        "message": {"text": "two agents answer the same"},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "file:///srv/team.yaml"},
                                    "region": {
                                        "startLine": 1,
                                        "startColumn": 1,
                                        "endLine": 9,
                                        "endColumn": 1,
                                    },
                                }
                            }
                        ],
                    },
                    {
                        "ruleId": "unknown-key",
                        "ruleIndex": 1,
                        "level": "error",
                        "message": {
                            "text": 'unknown key "a,b:c" is 100% wrong\nreally\nhint: remove it',
                        },
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "teams/a%20b.yaml"},
                                    "region": {
                                        "startLine": 3,
                                        "startColumn": 5,
                                        "endLine": 3,
                                        "endColumn": 16,
                                    },
                                }
                            }
                        ],
                        "relatedLocations": [
                            {
                                "id": 0,
                                "message": {"text": "begins here"},
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "teams/a%20b.yaml"},
                                    "region": {
                                        "startLine": 1,
                                        "startColumn": 1,
                                        "endLine": 1,
                                        "endColumn": 5,
                                    },
                                },
                            }
                        ],
                    },
                ],
            }
        ],
    }


def test_an_empty_report_is_a_valid_log() -> None:
    assert diagnostics_github(Report()) == []
    assert diagnostics_json(Report()) == {"diagnostics": [], "errors": 0, "warnings": 0}
    runs = diagnostics_sarif(Report(), version="1")["runs"]
    assert isinstance(runs, list)
    assert runs[0]["results"] == []
