#!/usr/bin/env bash
# ONNX Script's optimizer makes a model compute something else: a Relu returns -1, and a sum forgets one of its sides.
#
# Versions: onnxscript 0.7.2, onnx-ir 1.1.0, onnx 1.23.2, onnxruntime 1.32.0, numpy 2.4.6.
# Guess:    what optimizer.optimize() does by default keeps what a model computes, but for the last bits.
# Seen:     Relu after Clip to -3 .. -1 becomes one Clip, and gives -1 instead of 0; Clip to 3 .. 5 after Clip to 0 .. 1 gives 1
#           instead of 3. ScatterND that adds to every row becomes what it would add, and the data are forgotten. A padding with
#           0 moves into ConvInteger, which pads with its zero point, so sums at the border are others. The checker finds
#           nothing. So compare outputs before you count operators or time.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet onnxscript==0.7.2 onnx-ir==1.1.0 onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6

"$here/venv/bin/python" - <<'PYTHON'
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxscript import optimizer


def run(model, given):
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": given})[0].ravel().tolist()


def both(given, shape, nodes, result=TensorProto.FLOAT, **constants):
    kind = helper.np_dtype_to_tensor_dtype(given.dtype)
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", kind, given.shape)],
        [helper.make_tensor_value_info("z", result, shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    plain = run(model, given)
    optimised = optimizer.optimize(onnx.ModelProto.FromString(model.SerializeToString()))
    found = run(optimised, given)
    names = " and ".join(node.op_type for node in nodes)
    left = " and ".join(node.op_type for node in optimised.graph.node) or "a constant"
    print(f"{names}: {plain}; made to {left}: {found}")
    return plain, found


def number(value):
    return np.array(value, np.float32)


node = helper.make_node
x = np.array([-5, 7], np.float32)
clip = node("Clip", ["x", "low", "high"], ["y"])
assert both(x, [2], [clip, node("Relu", ["y"], ["z"])], low=number(-3), high=number(-1)) == ([0, 0], [-1, -1])
assert both(
    x, [2], [clip, node("Clip", ["y", "low2", "high2"], ["z"])],
    low=number(0), high=number(1), low2=number(3), high2=number(5),
) == ([3, 3], [1, 1])
assert both(
    np.ones((2, 1), np.float32), [2, 1], [node("ScatterND", ["x", "rows", "more"], ["z"], reduction="add")],
    rows=np.array([[0], [1]]), more=np.array([[10], [20]], np.float32),
) == ([11, 21], [10, 20])
assert both(
    np.full((1, 1, 3), 7, np.uint8), [1, 1, 3],
    [node("Pad", ["x", "pads", "zero"], ["y"]), node("ConvInteger", ["y", "ones", "point"], ["z"])], TensorProto.INT32,
    pads=np.array([0, 0, 1, 0, 0, 1]), zero=np.array(0, np.uint8), ones=np.ones((1, 1, 3), np.uint8),
    point=np.array(5, np.uint8),
) == ([-1, 6, -1], [4, 6, 4])
PYTHON
