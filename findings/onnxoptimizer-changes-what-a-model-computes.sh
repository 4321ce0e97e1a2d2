#!/usr/bin/env bash
# onnxoptimizer makes a model compute something else.
#
# Version: onnxoptimizer 0.4.2, onnx 1.23.2, onnxruntime 1.32.0.
# Guess:   optimize(model) with the passes that it takes by default leaves what the model computes, so only the number of
#          operators and the time change.
# Seen:    two random draws of the same shape become one, and their difference is 0; so are those of two Dropouts that train.
#          A padding with zeros before MaxPool becomes that of MaxPool, which lies below every value: the border is -1 instead
#          of 0. Of two Reshapes the first is deleted, though the second takes a dimension from it ("0"): 2 x 3 instead of
#          3 x 2. The checker finds nothing.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet onnxoptimizer==0.4.2 onnx==1.23.2 onnxruntime==1.32.0

"$here/venv/bin/python" - <<'PYTHON'
import numpy as np
import onnx
import onnxoptimizer
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


def model(shape, nodes, **constants):
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None] * len(shape))],
        [numpy_helper.from_array(np.array(value), name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def run(program):
    onnx.checker.check_model(program, full_check=True)
    shape = [dimension.dim_value for dimension in program.graph.input[0].type.tensor_type.shape.dim]
    return onnxruntime.InferenceSession(program.SerializeToString()).run(None, {"x": np.full(shape, -1, np.float32)})[0]


node = helper.make_node
models = {
    "difference of draws": model([20, 30], [
        node("RandomUniformLike", ["x"], ["a"]), node("RandomUniformLike", ["x"], ["b"]), node("Sub", ["a", "b"], ["y"]),
    ]),
    "difference of dropouts": model(
        [20, 30],
        [
            node("Dropout", ["x", "half", "yes"], ["a"]), node("Dropout", ["x", "half", "yes"], ["b"]),
            node("Sub", ["a", "b"], ["y"]),
        ],
        half=np.float32(0.5), yes=True,
    ),
    "padding and MaxPool": model(
        [1, 1, 2, 2], [node("Pad", ["x", "by"], ["a"]), node("MaxPool", ["a"], ["y"], kernel_shape=[2, 2])],
        by=[0, 0, 1, 1, 0, 0, 1, 1],
    ),
    "reshapes": model(
        [2, 3], [node("Reshape", ["x", "first"], ["a"]), node("Reshape", ["a", "second"], ["y"])], first=[3, 2], second=[0, -1]
    ),
}
seen = []
for name, given in models.items():
    for when, program in (("given", given), ("optimised", onnxoptimizer.optimize(given))):
        result = run(program)
        seen.append((result.shape, bool(result.any()), float(result.max()) > -1))
        print(f"{name}, {when}: {len(program.graph.node)} operators, {result.shape}, {result.min()} to {result.max()}")
raise SystemExit(seen != [
    ((20, 30), True, True), ((20, 30), False, True), ((20, 30), True, True), ((20, 30), False, True),
    ((1, 1, 3, 3), True, True), ((1, 1, 3, 3), True, False), ((3, 2), True, False), ((2, 3), True, False),
])
PYTHON
