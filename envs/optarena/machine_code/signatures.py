"""The part of libLLVM's C interface that this package uses: only result and argument types.

Names lack their ``LLVM`` prefix. Handles are ``c_void_p``; so is a string that the caller must free, because
ctypes would copy it and lose the pointer.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

P = ctypes.c_void_p
S = ctypes.c_char_p
I = ctypes.c_int  # noqa: E741 - one letter per type keeps the table readable
U = ctypes.c_uint
N = ctypes.c_size_t
OUT = ctypes.POINTER(ctypes.c_void_p)
OUT_U = ctypes.POINTER(ctypes.c_uint)

C_FUNCTIONS: Final[dict[str, tuple[Any, list[Any]]]] = {
    "GetVersion": (None, [OUT_U, OUT_U, OUT_U]),
    "DisposeMessage": (None, [P]),
    "GetErrorMessage": (P, [P]),
    "DisposeErrorMessage": (None, [P]),
    # contexts, buffers, modules
    "ContextCreate": (P, []),
    "ContextDispose": (None, [P]),
    "ContextSetDiagnosticHandler": (None, [P, P, P]),
    "ContextSetDiscardValueNames": (None, [P, I]),
    "GetDiagInfoSeverity": (I, [P]),
    "GetDiagInfoDescription": (P, [P]),
    "CreateMemoryBufferWithMemoryRangeCopy": (P, [S, N, S]),
    "DisposeMemoryBuffer": (None, [P]),
    "GetBufferStart": (P, [P]),
    "GetBufferSize": (N, [P]),
    "ParseIRInContext2": (I, [P, P, OUT, OUT]),
    "DisposeModule": (None, [P]),
    "LinkModules2": (I, [P, P]),
    "VerifyModule": (I, [P, I, OUT]),
    "PrintModuleToString": (P, [P]),
    "WriteBitcodeToMemoryBuffer": (P, [P]),
    "SetSourceFileName": (None, [P, S, N]),
    "SetModuleIdentifier": (None, [P, S, N]),
    "GetTarget": (S, [P]),
    "GetDataLayoutStr": (S, [P]),
    "SetDataLayout": (None, [P, S]),
    # values
    "GetNamedFunction": (P, [P, S]),
    "GetNamedFunctionWithLength": (P, [P, S, N]),
    "GetNamedGlobal": (P, [P, S]),
    "GetFirstFunction": (P, [P]),
    "GetNextFunction": (P, [P]),
    "GetFirstGlobal": (P, [P]),
    "GetSection": (S, [P]),
    "GetNextGlobal": (P, [P]),
    "GetFirstGlobalIFunc": (P, [P]),
    "IsDeclaration": (I, [P]),
    "IsThreadLocal": (I, [P]),
    "GetValueName2": (P, [P, ctypes.POINTER(N)]),
    "GetIntrinsicID": (U, [P]),
    "GetFirstUse": (P, [P]),
    "GlobalGetValueType": (P, [P]),
    "PrintTypeToString": (P, [P]),
    # metadata and attributes, for the decisions on loops and calls
    "GetModuleContext": (P, [P]),
    "GetMDKindIDInContext": (U, [P, S, U]),
    "GetMetadata": (P, [P, U]),
    "SetMetadata": (None, [P, U, P]),
    "IsAConstantInt": (P, [P]),
    "IsAMDNode": (P, [P]),
    "GetMDString": (P, [P, OUT_U]),
    "GetMDNodeNumOperands": (U, [P]),
    "GetMDNodeOperands": (None, [P, OUT]),
    "MDStringInContext2": (P, [P, S, N]),
    "MDNodeInContext2": (P, [P, OUT, N]),
    "TemporaryMDNode": (P, [P, OUT, N]),
    "MetadataReplaceAllUsesWith": (None, [P, P]),
    "MetadataAsValue": (P, [P, P]),
    "ValueAsMetadata": (P, [P]),
    "IntTypeInContext": (P, [P, U]),
    "ConstInt": (P, [P, ctypes.c_uint64, I]),
    "ConstIntGetZExtValue": (ctypes.c_uint64, [P]),
    "GetGlobalParent": (P, [P]),
    "GetInstructionParent": (P, [P]),
    "GetBasicBlockParent": (P, [P]),
    "GetFirstBasicBlock": (P, [P]),
    "GetNextBasicBlock": (P, [P]),
    "GetBasicBlockTerminator": (P, [P]),
    "GetEnumAttributeKindForName": (U, [S, N]),
    "CreateEnumAttribute": (P, [P, U, ctypes.c_uint64]),
    "CreateStringAttribute": (P, [P, S, U, S, U]),
    "GetEnumAttributeAtIndex": (P, [P, U, U]),
    "AddAttributeAtIndex": (None, [P, U, P]),
    "RemoveEnumAttributeAtIndex": (None, [P, U, U]),
    "GetStringAttributeAtIndex": (P, [P, U, S, U]),
    "RemoveStringAttributeAtIndex": (None, [P, U, S, U]),
    "GetCallSiteEnumAttribute": (P, [P, U, U]),
    "GetCallSiteStringAttribute": (P, [P, U, S, U]),
    "AddCallSiteAttribute": (None, [P, U, P]),
    "RemoveCallSiteEnumAttribute": (None, [P, U, U]),
    "RemoveCallSiteStringAttribute": (None, [P, U, S, U]),
    "ParseCommandLineOptions": (None, [I, ctypes.POINTER(S), S]),
    "RunPassesOnFunction": (P, [P, S, P, P]),
    # targets and passes
    "InitializeX86TargetInfo": (None, []),
    "InitializeX86Target": (None, []),
    "InitializeX86TargetMC": (None, []),
    "InitializeX86AsmPrinter": (None, []),
    "InitializeX86AsmParser": (None, []),
    "GetTargetFromTriple": (I, [S, OUT, OUT]),
    "CreateTargetMachine": (P, [P, S, S, S, I, I, I]),
    "DisposeTargetMachine": (None, [P]),
    "CreateTargetDataLayout": (P, [P]),
    "CopyStringRepOfTargetData": (P, [P]),
    "DisposeTargetData": (None, [P]),
    "TargetMachineEmitToMemoryBuffer": (I, [P, P, I, OUT, OUT]),
    "CreatePassBuilderOptions": (P, []),
    "RunPasses": (P, [P, S, P, P]),
    # the just-in-time compiler
    "OrcCreateLLJITBuilder": (P, []),
    "OrcLLJITBuilderSetJITTargetMachineBuilder": (None, [P, P]),
    "OrcJITTargetMachineBuilderCreateFromTargetMachine": (P, [P]),
    "OrcCreateLLJIT": (P, [OUT, P]),
    "OrcDisposeLLJIT": (P, [P]),
    "OrcLLJITGetExecutionSession": (P, [P]),
    "OrcExecutionSessionSetErrorReporter": (None, [P, P, P]),
    "OrcLLJITGetMainJITDylib": (P, [P]),
    "OrcLLJITGetGlobalPrefix": (ctypes.c_char, [P]),
    "OrcLLJITMangleAndIntern": (P, [P, S]),
    "OrcLLJITAddLLVMIRModule": (P, [P, P, P]),
    "OrcLLJITAddObjectFile": (P, [P, P, P]),
    "OrcLLJITGetObjTransformLayer": (P, [P]),
    "OrcObjectTransformLayerSetTransform": (None, [P, P, P]),
    "OrcLLJITLookup": (P, [P, ctypes.POINTER(ctypes.c_uint64), S]),
    "OrcCreateNewThreadSafeContextFromLLVMContext": (P, [P]),
    "OrcDisposeThreadSafeContext": (None, [P]),
    "OrcCreateNewThreadSafeModule": (P, [P, P]),
    "OrcCreateDynamicLibrarySearchGeneratorForPath": (P, [OUT, S, ctypes.c_char, P, P]),
    "OrcJITDylibAddGenerator": (None, [P, P]),
    "OrcJITDylibDefine": (P, [P, P]),
    "OrcAbsoluteSymbols": (P, [P, N]),
}

CXX_FUNCTIONS: Final[dict[str, tuple[str, Any, list[Any]]]] = {
    "ModuleInstructionCount": ("_ZNK4llvm6Module19getInstructionCountEv", U, [P]),
}
"""C++ functions whose mangled names contain no ``std::`` type and are thus the same for every build."""
