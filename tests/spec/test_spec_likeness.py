"""Which YAML files are taken for team files, however they are written, and which are of other programs."""

from __future__ import annotations

import pytest

from agentctl.spec.likeness import may_be_a_team

TEAMS = {
    "misspelt": "name: q\nmodle: offline\nsystem_prompt: x\nmax_turns: 5\n",
    "misspelt twice": "nme: a\nmodel: x\ninstrctions: y\n",
    "tab": "name: q\n\tmodel: offline\n",
    "model alone": "name: q\nmodel: offline\n",
    "camel case": "name: q\nmaxTurns: 5\nsystemPrompt: hi\n",
    "around": "team:\n  name: a\n  agents:\n    - name: b\n",
    "around in braces": "team: {name: a, agents: []}\n",
    "list": "- name: a\n  model: offline\n  instructions: x\n",
    "crew": "agents:\n  researcher:\n    role: x\n    goal: y\n",
    "crew with tasks": "agents:\n- name: a\ntasks:\n- a\n",
    "json": '{"name": "a", "model": "offline", "instructions": "x"}',
    "mark": "\ufeffname: a\ninstructions: x\n",
}
OTHERS = {
    "empty": "",
    "comment": "# name: a\n# agents: []\n",
    "compose": "name: shop\nservices: {}\n",
    "compose with models": "name: shop\nservices: {}\nmodels: {m: {model: x}}\n",
    "workflow": "name: ci\non: push\njobs: {a: {strategy: {}}}\n",
    "action": "name: act\ndescription: x\ninputs:\n  a: {required: true}\nruns:\n  using: node\n",
    "chart": "apiVersion: v2\nname: x\nversion: 1.0.0\ndescription: d\ntype: application\n",
    "deployment": "apiVersion: apps/v1\nkind: Deployment\nspec:\n  strategy: {type: x}\n  template: {}\n",
    "spec alone": "spec:\n  strategy: x\n  template: y\n  name: q\n",
    "pipeline": "agents: {queue: x}\nsteps:\n  - command: x\n",
    "semaphore": "version: v1.0\nname: x\nagent:\n  machine: {type: e1}\nblocks: []\n",
    "dbt": "version: 2\nmodels:\n  - name: x\n    description: y\n",
    "openapi": "openapi: 3.0.0\ninfo: {title: x}\npaths: {}\nservers: []\n",
    "experiment": "name: exp\nmodel: resnet\nlr: 0.1\nepochs: 3\n",
    "playbook": "- name: play\n  hosts: all\n  tasks: []\n",
    "surface": "- release_tracks: [GA]\n  help_text: x\n  arguments: {}\n  output: {format: x}\n",
}


@pytest.mark.parametrize("text", TEAMS.values(), ids=TEAMS)
def test_what_may_be_a_team_is_known(text: str) -> None:
    assert may_be_a_team(text)


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_file_of_another_program_is_left_alone(text: str) -> None:
    assert not may_be_a_team(text)
