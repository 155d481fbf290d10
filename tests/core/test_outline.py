"""What a file defines, in languages that are read by their indentation."""

import pytest

from fixloop_bot.core.outline import outline

FILES = {
    "a.py": """\
import x
LIMIT = 3


@wrap
def f():
    def g():
        return 1
    return g


class A:
    size: int

    def m(self):
        return 2
""",
    "a.js": """\
import { x } from './x.js';

export const LIMIT = 3;

export function f(a, {
  b,
}) {
  if (a) {
    return b;
  }
}

class A {
  #size = 1;

  get size() {
    return 2;
  }

  #grow(n) {
    n += 1;
  }
}
""",
    "a.go": """\
package a

type T struct {
\tn int
}

// Add adds.
func (t *T) Add(n int) int {
\treturn t.n + n
}

func TestAdd(t *testing.T) {
\tt.Run("x", func(t *testing.T) {
\t})
}
""",
    "a.rb": """\
module M
  class A
    MOST = 3

    def self.f(a)
      a
    rescue KeyError
      nil
    end

    def [](key) = @all[key]

    def empty?
      true
    end
  end
end
""",
    "A.java": """\
public class A {
    private int n;

    public int add(int m)
    {
        return n + m;
    }
}
""",
    "a.php": """\
<?php
final class A
{
    public function add(int $m): int
    {
        return $m;
    }
}
""",
    "a.rs": """\
impl A {
    pub fn add(&self, m: u8) -> u8 {
        m
    }
}
""",
    "a_spec.rb": """\
RSpec.describe A do
  it "adds" do
    expect(1).to eq(1)
  end
end
""",
    "a.test.ts": """\
describe('a', () => {
  it.only('adds', async () => {
    expect(1).toBe(1);
  });
});
""",
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py", ["LIMIT 2-2", "f 5-9", "A 12-16", "m 15-16"]),
        ("a.js", ["LIMIT 3-3", "f 5-11", "A 13-23", "size 16-18", "grow 20-22"]),
        ("a.go", ["T 3-5", "Add 8-10", "TestAdd 12-15"]),
        ("a.rb", ["M 1-17", "A 2-16", "MOST 3-3", "f 5-9", "[] 11-11", "empty? 13-15"]),
        ("A.java", ["A 1-8", "add 4-7"]),
        ("a.php", ["A 2-8", "add 4-7"]),
        ("a.rs", ["A 1-5", "add 2-4"]),
        ("a_spec.rb", ["it 2-4"]),
        ("a.test.ts", ["describe 1-5", "it 2-4"]),
    ],
)
def test_whole_functions_are_found(path: str, expected: list[str]) -> None:
    assert [f"{one.name} {one.first}-{one.last}" for one in outline(path, FILES[path])] == expected


def test_what_a_test_runner_runs_is_known() -> None:
    tests = {path: [one.name for one in outline(path, text) if one.is_test] for path, text in FILES.items()}
    assert {path: names for path, names in tests.items() if names} == {
        "a.go": ["TestAdd"],
        "a_spec.rb": ["it"],
        "a.test.ts": ["it"],
    }


def test_of_a_class_its_own_lines_are_those_outside_of_its_methods() -> None:
    (a, _) = outline("A.java", FILES["A.java"])
    assert a.own() == [(1, 3), (8, 8)]


@pytest.mark.parametrize(
    "unit", ["{", "function f(", "def f\n", " def f\n", "it {\n", "class A\n  ", "(", "x = \n", "\t"]
)
def test_no_text_is_too_much(unit: str) -> None:
    for path in ("a.js", "a.rb", "a.py"):
        found = outline(path, unit * 5_000)
        assert all(1 <= one.first <= one.last for one in found)
