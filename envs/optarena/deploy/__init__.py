"""Results in builds: recipes, the plugin that runs them within clang 22, and files for build systems.

A compilation itself needs none of this package: only clang, the plugin, and at most the shell script
``optarena-cc``.
"""
