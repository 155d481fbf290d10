"""What needs root is collected where there is root; the rest of the sandbox is tested as every user."""

from tests.machine import is_root

collect_ignore = [] if is_root() else ["test_owners.py", "test_users.py", "test_other_user.py"]
