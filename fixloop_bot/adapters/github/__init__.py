"""GitHub, through PyGithub. Only `access` may be imported without paying for the library's import."""
