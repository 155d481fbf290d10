"""YAML that a stranger wrote: plain data and the line of every value, in bounded time and memory."""

from dataclasses import dataclass, field

import yaml

MAX_BYTES = 256 * 1024
MAX_VALUES = 20_000
"""Counted after aliases are followed, so that a few lines cannot unfold into millions."""
MAX_DEPTH = 40

Place = tuple[str | int, ...]


@dataclass(slots=True)
class YamlLines:
    """A document as plain data; `lines` gives the 1-based line of each key or item by its place."""

    data: object = None
    lines: dict[Place, int] = field(default_factory=dict)


class YamlProblem(Exception):  # noqa: N818 - a value for the person, as ConfigProblem is
    """Text that is no usable YAML; `line` is 1-based."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse_yaml(text: str) -> YamlLines:
    """Return the document. Raises YamlProblem for bad YAML, duplicate or non-text keys and documents too big."""
    if len(text.encode("utf-8", errors="replace")) > MAX_BYTES:
        message = f"is larger than {MAX_BYTES // 1024} KB"
        raise YamlProblem(message, None)
    node = _compose(text)
    if node is None:
        return YamlLines()
    reader = _Reader()
    data = reader.value(node, ())
    return YamlLines(data, reader.lines)


def _compose(text: str) -> yaml.Node | None:
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlProblem(
            f"is not valid YAML: {error.problem or error.context}", mark.line + 1 if mark else None
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if isinstance(error.position, int) else None
        raise YamlProblem(f"is not valid YAML: {error.reason}", line) from None
    except RecursionError:
        message = "is nested too deeply"
        raise YamlProblem(message, None) from None
    return node


class _Reader:
    """Walks the nodes once."""

    def __init__(self) -> None:
        self.lines: dict[Place, int] = {}
        self._values = 0
        self._scalars = yaml.constructor.SafeConstructor()

    def value(self, node: yaml.Node, place: Place) -> object:
        """Return the node's plain data, noting its line."""
        self._values += 1
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        if self._values > MAX_VALUES or len(place) > MAX_DEPTH:
            message = "unfolds into too many or too deeply nested values"
            raise YamlProblem(message, line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*place, index)) for index, item in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, object]:
        found: dict[str, object] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = self._scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str):
                message = f"key `{key_node.value}` is not text; put it in quotes"
                raise YamlProblem(message[:200], line)
            if key in found:
                message = f"key `{key}` stands here twice"
                raise YamlProblem(message[:200], line)
            self.lines[(*place, key)] = line
            found[key] = self.value(value_node, (*place, key))
        return found

    def _scalar(self, node: yaml.Node) -> object:
        try:
            return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            message = f"value `{str(node.value)[:80]}` cannot be read"
            raise YamlProblem(message, node.start_mark.line + 1) from None
