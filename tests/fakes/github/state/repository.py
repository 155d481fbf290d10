"""A repository: real git, and the threads and checks that belong to it."""

from tests.fakes.github.state.ci_board import CiBoard
from tests.fakes.github.state.thread_board import ThreadBoard


class Repository(ThreadBoard, CiBoard):
    """What `github.repository("octo/shop")` returns."""
