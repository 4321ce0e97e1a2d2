"""Names of the entries of feature vectors and tables, as plain data: importing this loads no libLLVM.

The opcodes are those of LLVM 22; another version of LLVM may have others and needs its own list.
"""

from __future__ import annotations

from typing import Final

AUTOPHASE_NAMES: Final = (
    *("BBNumArgsHi", "BBNumArgsLo", "onePred", "onePredOneSuc", "onePredTwoSuc", "oneSuccessor", "twoPred"),
    *("twoPredOneSuc", "twoEach", "twoSuccessor", "morePreds", "BB03Phi", "BBHiPhi", "BBNoPhi", "BeginPhi"),
    *("BranchCount", "returnInt", "CriticalCount", "NumEdges", "const32Bit", "const64Bit"),
    *("numConstZeroes", "numConstOnes", "UncondBranches", "binaryConstArg", "NumAShrInst", "NumAddInst"),
    *("NumAllocaInst", "NumAndInst", "BlockMid", "BlockLow", "NumBitCastInst", "NumBrInst", "NumCallInst"),
    *("NumGetElementPtrInst", "NumICmpInst", "NumLShrInst", "NumLoadInst", "NumMulInst", "NumOrInst"),
    *("NumPHIInst", "NumRetInst", "NumSExtInst", "NumSelectInst", "NumShlInst", "NumStoreInst", "NumSubInst"),
    *("NumTruncInst", "NumXorInst", "NumZExtInst", "TotalBlocks", "TotalInsts", "TotalMemInst", "TotalFuncs"),
    *("ArgsPhi", "testUnary"),
)
"""The 56 features of Autophase, in their order."""

OPCODES: Final = {
    "Ret": 1,
    "Br": 2,
    "Switch": 3,
    "IndirectBr": 4,
    "Invoke": 5,
    "Resume": 58,
    "Unreachable": 7,
    "CleanupRet": 61,
    "CatchRet": 62,
    "CatchSwitch": 65,
    "CallBr": 67,
    "FNeg": 66,
    "Add": 8,
    "FAdd": 9,
    "Sub": 10,
    "FSub": 11,
    "Mul": 12,
    "FMul": 13,
    "UDiv": 14,
    "SDiv": 15,
    "FDiv": 16,
    "URem": 17,
    "SRem": 18,
    "FRem": 19,
    "Shl": 20,
    "LShr": 21,
    "AShr": 22,
    "And": 23,
    "Or": 24,
    "Xor": 25,
    "Alloca": 26,
    "Load": 27,
    "Store": 28,
    "GetElementPtr": 29,
    "Fence": 55,
    "AtomicCmpXchg": 56,
    "AtomicRMW": 57,
    "Trunc": 30,
    "ZExt": 31,
    "SExt": 32,
    "FPToUI": 33,
    "FPToSI": 34,
    "UIToFP": 35,
    "SIToFP": 36,
    "FPTrunc": 37,
    "FPExt": 38,
    "PtrToInt": 39,
    "PtrToAddr": 69,
    "IntToPtr": 40,
    "BitCast": 41,
    "AddrSpaceCast": 60,
    "CleanupPad": 64,
    "CatchPad": 63,
    "ICmp": 42,
    "FCmp": 43,
    "PHI": 44,
    "Call": 45,
    "Select": 46,
    "UserOp1": 47,
    "UserOp2": 48,
    "VAArg": 49,
    "ExtractElement": 50,
    "InsertElement": 51,
    "ShuffleVector": 52,
    "ExtractValue": 53,
    "InsertValue": 54,
    "LandingPad": 59,
    "Freeze": 68,
}
"""The 68 opcodes of LLVM 22 in LLVM's own order, each with its number in LLVM's C interface."""

TOTAL_NAMES: Final = ("TotalInstsCount", "TotalBlocksCount", "TotalFuncsCount")
INSTCOUNT_NAMES: Final = (*TOTAL_NAMES, *(f"{name}Count" for name in OPCODES))
"""The 71 counts of ``InstCount``: instructions, blocks and functions that are defined, then each opcode."""

IR2VEC_TYPES: Final = (
    *("FloatTy", "VoidTy", "LabelTy", "MetadataTy", "VectorTy", "TokenTy", "IntegerTy", "FunctionTy"),
    *("PointerTy", "StructTy", "ArrayTy", "UnknownTy"),
)
IR2VEC_OPERANDS: Final = ("Function", "Pointer", "Constant", "Variable")
IR2VEC_PREDICATES: Final = {
    **{
        f"FCMP_{name}": number
        for number, name in enumerate(
            (
                *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
                *("uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"),
            )
        )
    },
    **{
        f"ICMP_{name}": number
        for number, name in enumerate(
            ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"), start=32
        )
    },
}
"""The predicates of comparisons, each with its number in LLVM's C interface."""

IR2VEC_NAMES: Final = (*OPCODES, *IR2VEC_TYPES, *IR2VEC_OPERANDS, *IR2VEC_PREDICATES)
"""The 110 entries of a vocabulary of LLVM 22's IR2Vec, in LLVM's own order.

The instructions of blocks that can be reached count, but for ``llvm.pseudoprobe``: each by its opcode and
the type of its result (``FloatTy`` for every floating-point type, ``VectorTy`` for AMX tiles, too), a
comparison by its predicate as well, and each operand by its kind: a ``Function``, else a ``Pointer``, else a
``Constant``, else a ``Variable``. Blocks and metadata are variables.
"""

PROPERTY_NAMES: Final = (
    *("BasicBlockCount", "BlocksReachedFromConditionalInstruction", "Uses", "DirectCallsToDefinedFunctions"),
    *("LoadInstCount", "StoreInstCount", "MaxLoopDepth", "TopLevelLoopCount", "TotalInstructionCount"),
    *("BasicBlocksWithSingleSuccessor", "BasicBlocksWithTwoSuccessors"),
    *("BasicBlocksWithMoreThanTwoSuccessors", "BasicBlocksWithSinglePredecessor"),
    *("BasicBlocksWithTwoPredecessors", "BasicBlocksWithMoreThanTwoPredecessors", "CriticalEdgeCount"),
    *("ControlFlowEdgeCount", "UnconditionalBranchCount", "ConditionalBranchCount", "SwitchInstructionCount"),
    *("CastInstructionCount", "IntrinsicCount", "DirectCallCount", "IndirectCallCount"),
    "IntegerInstructionCount",
)
"""The 25 properties of a function, each as ``llvm::FunctionPropertiesInfo`` of LLVM 22 defines it.

Only blocks that can be reached from the function's entry count, with their instructions.

- ``BasicBlockCount``: blocks; ``TotalInstructionCount``, ``LoadInstCount``, ``StoreInstCount``,
  ``CastInstructionCount``, ``SwitchInstructionCount``, ``ConditionalBranchCount``,
  ``UnconditionalBranchCount``: instructions, all of them or those of this kind.
- ``IntegerInstructionCount``: instructions whose result is an integer of any width, not a vector.
- ``BlocksReachedFromConditionalInstruction``: successors of all conditional branches and switches; a block
  counts once for each edge.
- ``Uses``: uses of the function, its address among them, plus 1 if it can be called from outside the module.
- ``DirectCallsToDefinedFunctions``: calls, invokes and callbrs of a named function with a body.
- ``DirectCallCount``, ``IndirectCallCount``: calls (not invokes) whose callee is a constant or inline
  assembly, or is computed; ``IntrinsicCount``: direct calls of an intrinsic.
- ``TopLevelLoopCount``, ``MaxLoopDepth``: natural loops outside all other loops, and the number of loops
  around the most deeply nested block. Loops with the same header count as one.
- ``BasicBlocksWith…``: blocks by number of outgoing or incoming edges; several edges between two blocks count
  separately, and so do incoming edges from unreachable blocks.
- ``ControlFlowEdgeCount``: outgoing edges; ``CriticalEdgeCount``: edges from a block with several outgoing
  edges to a block with several incoming ones.
"""

FUNCTION_COLUMN: Final = "function"
"""The column of tables that holds names of functions."""
COUNTS_COLUMN: Final = "counts"
"""The column that holds ``len(IR2VEC_NAMES)`` counts of each function, one function after the other."""

NODE_COLUMNS: Final = ("kind", "opcode", "type", "bits", "function", "block", "value")
EDGE_COLUMNS: Final = ("source", "target", "kind", "position")
NODE_KINDS: Final = ("instruction", "variable", "constant", "root", "declaration")
EDGE_KINDS: Final = ("control", "data", "call")
TYPES: Final = {
    0: "void",
    1: "half",
    2: "float",
    3: "double",
    4: "x86_fp80",
    5: "fp128",
    6: "ppc_fp128",
    7: "label",
    8: "integer",
    9: "function",
    10: "struct",
    11: "array",
    12: "pointer",
    13: "vector",
    14: "metadata",
    16: "token",
    17: "scalable_vector",
    18: "bfloat",
    19: "x86_amx",
    20: "target",
}
"""The type kinds of LLVM's C interface, by number."""
