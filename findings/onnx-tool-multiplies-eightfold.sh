#!/usr/bin/env bash
# onnx-tool counts two and eight times the multiplications of two transposed convolutions, and none in the error function.
#
# Versions: onnx-tool 1.0.1, onnx 1.23.2, numpy 2.4.6.
# Guess:    the multiplications of a transposed convolution are those of the product of matrices that computes the same, which
#           the tool counts exactly.
# Seen:     it takes the output for the input, and the channels of the output for those of the input: with stride 2 and twice as
#           many channels out it finds 1,048,576 instead of 131,072, and with half as many 65,536 instead of 32,768. So
#           decoders look dear. Erf has none and Tanh 76 a number, so the two ways to write GELU have other counts.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet onnx-tool==1.0.1 onnx==1.23.2 numpy==2.4.6
cd "$here"

cat > count.py <<'PYTHON'
import numpy
import onnx
import onnx_tool
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

SIDE, KERNEL = 8, 2
random = numpy.random.default_rng(1)


def counted(nodes, given, shape, constants):
    graph = helper.make_graph(
        nodes,
        "counted",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, given.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, "model.onnx")
    profiled = onnx_tool.Model("model.onnx").graph
    profiled.shape_infer({"x": given})
    profiled.profile()
    return int(numpy.ravel(profiled.macs)[0]), ReferenceEvaluator(model).run(None, {"x": given})[0]


def layer(channels, channels_out):
    given = random.random((1, channels, SIDE, SIDE), numpy.float32)
    weights = random.random((channels, channels_out, KERNEL, KERNEL), numpy.float32)
    out = (1, channels_out, KERNEL * SIDE, KERNEL * SIDE)
    transposed = helper.make_node("ConvTranspose", ["x", "w"], ["y"], name="layer", strides=[KERNEL, KERNEL])
    count, seen = counted([transposed], given, out, {"w": weights})
    product = helper.make_node("MatMul", ["x", "w"], ["y"], name="layer")
    rows = given.reshape(channels, -1).T
    exact, cells = counted([product], rows, [SIDE * SIDE, channels_out * KERNEL**2], {"w": weights.reshape(channels, -1)})
    cells = cells.reshape(SIDE, SIDE, channels_out, KERNEL, KERNEL).transpose(2, 0, 3, 1, 4).reshape(out)
    numpy.testing.assert_allclose(seen, cells, rtol=1e-5)
    print(f"{channels} channels to {channels_out}: ConvTranspose {count}, MatMul with the same result {exact}")
    return count, exact


assert layer(16, 32) == (1_048_576, 131_072)
assert layer(16, 8) == (65_536, 32_768)
numbers = random.random((10, 10), numpy.float32)
for operator, expected in (("Erf", 0), ("Tanh", 76)):
    count, _ = counted([helper.make_node(operator, ["x"], ["y"], name="layer")], numbers, [10, 10], {})
    print(f"{operator} of a number: {count / numbers.size:g}")
    assert count == expected * numbers.size
PYTHON
venv/bin/python count.py
