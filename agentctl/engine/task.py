"""What goes into a delegation and what comes out of it, each with its JSON form for the seam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import Message
from agentctl.spec.team import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One contribution to the conversation.

    `exchanges` are the tool calls and results behind it; only its own agent is ever shown them.
    `before`: it is of an earlier run and stands before the request; without an agent it is the person's.
    """

    agent: str
    text: str
    before: bool = False
    exchanges: tuple[Message, ...] = ()

    def as_json(self) -> JsonObject:
        found: dict[str, Json] = {"agent": self.agent, "text": self.text}
        if self.before:
            found["before"] = True
        if self.exchanges:
            found["exchanges"] = [message.as_json() for message in self.exchanges]
        return found

    @classmethod
    def from_json(cls, value: Json) -> Said:
        found = as_object(value)
        return cls(
            agent=as_text(found.get("agent")),
            text=as_text(found.get("text")),
            before=found.get("before") is True,
            exchanges=tuple(Message.from_json(item) for item in as_list(found.get("exchanges"))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What an execution is given: the request, what was said so far, and a note (sender, text).

    `peers` are the members of a swarm that this one may pass control to.
    """

    request: str
    conversation: tuple[Said, ...] = ()
    note: Said | None = None
    peers: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        return {
            "request": self.request,
            "conversation": [said.as_json() for said in self.conversation],
            "note": self.note.as_json() if self.note else None,
            "peers": list(self.peers),
        }

    @classmethod
    def from_json(cls, value: Json) -> Task:
        found = as_object(value)
        note = found.get("note")
        return cls(
            request=as_text(found.get("request")),
            conversation=tuple(Said.from_json(said) for said in as_list(found.get("conversation"))),
            note=Said.from_json(note) if note else None,
            peers=tuple(as_text(name) for name in as_list(found.get("peers"))),
        )

    @property
    def inherited(self) -> tuple[Said, ...]:
        """The conversation that a sub-team's members inherit: the note stands at its end."""
        return (*self.conversation, self.note) if self.note else self.conversation

    def shown(self, context: Context) -> Task:
        """What an agent with that `context` is given of it: all, or the task alone."""
        if context == "conversation":
            return self
        return Task(request=self.note.text if self.note else self.request, peers=self.peers)

    def for_member(self, agent: str) -> Task:
        """The same without the tool exchanges of anybody else, and without peers, who are the parent's."""
        kept = [said if said.agent == agent else replace(said, exchanges=()) for said in self.conversation]
        return replace(self, conversation=tuple(kept), peers=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Control given to a peer: to whom, the note for it, and why."""

    agent: str
    message: str
    reason: str = ""

    def as_json(self) -> JsonObject:
        return {"agent": self.agent, "message": self.message, "reason": self.reason}

    @classmethod
    def from_json(cls, value: Json) -> Passed:
        found = as_object(value)
        return cls(
            agent=as_text(found.get("agent")),
            message=as_text(found.get("message")),
            reason=as_text(found.get("reason")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How an execution ended well.

    `agent` and `path` tell who wrote `text`, seen from this execution (`path` begins with its agent).
    `said` is what its members contributed, in order; `exchanges` the tool calls and results of its own
    loop. `answers` holds each member's answer by name where the text lists them all (parallel).
    `transfer` is set by a swarm member that passed control; `text` is then what it wrote beside it.
    `output` is the text parsed where the agent that wrote it states a shape (`has_output`).
    """

    text: str
    agent: str
    path: tuple[str, ...]
    said: tuple[Said, ...] = ()
    exchanges: tuple[Message, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    transfer: Passed | None = None
    output: Json = None
    has_output: bool = False

    def as_json(self) -> JsonObject:
        return {
            **({"output": self.output} if self.has_output else {}),
            "text": self.text,
            "agent": self.agent,
            "path": list(self.path),
            "said": [said.as_json() for said in self.said],
            "exchanges": [message.as_json() for message in self.exchanges],
            "answers": self.answers,
            "transfer": self.transfer.as_json() if self.transfer else None,
        }

    @classmethod
    def from_json(cls, value: Json) -> Answer:
        found = as_object(value)
        transfer = found.get("transfer")
        return cls(
            text=as_text(found.get("text")),
            agent=as_text(found.get("agent")),
            path=tuple(as_text(part) for part in as_list(found.get("path"))),
            said=tuple(Said.from_json(said) for said in as_list(found.get("said"))),
            exchanges=tuple(Message.from_json(item) for item in as_list(found.get("exchanges"))),
            answers={name: as_text(text) for name, text in as_object(found.get("answers")).items()},
            transfer=Passed.from_json(transfer) if transfer else None,
            output=found.get("output"),
            has_output="output" in found,
        )

    def summary(self) -> JsonObject:
        """What the record of an end holds of it."""
        found: dict[str, Json] = {"answer": self.text, "agent": self.agent, "path": list(self.path)}
        if self.transfer:
            found["transfer"] = self.transfer.as_json()
        if self.has_output:
            found["output"] = self.output
        return found

    def by(self, agent: str) -> Said:
        """This answer as that agent's contribution to a conversation."""
        return Said(agent=agent, text=self.text, exchanges=self.exchanges)


def forwarded(agent: str, answer: Answer, said: Sequence[Said] = ()) -> Answer:
    """A member's answer as the answer of `agent`, untouched."""
    return Answer(
        text=answer.text,
        agent=answer.agent,
        path=(agent, *answer.path),
        said=tuple(said),
        answers=answer.answers,
        output=answer.output,
        has_output=answer.has_output,
    )
