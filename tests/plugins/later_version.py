"""An installation of a later release: it has a version of an environment that the others do not have."""

from __future__ import annotations

from optarena.specs import environment_spec

environment_spec("llvm-ic-v0").__dict__["digest"] = "e" * 64  # the cached value; what it measures is the same
