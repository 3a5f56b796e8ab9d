// The seccomp program of an isolated server. Session keyrings, tracing of other processes and writing into a terminal
// cross every namespace; these calls answer EPERM. Classic BPF for `bwrap --seccomp`; pure.

/** Numbers of Linux by architecture: `asm/unistd_64.h`, `asm-generic/unistd.h`. */
const CALLS = {
  // AUDIT_ARCH_X86_64
  x64: {
    arch: 0xc000003e,
    refused: [101, 248, 249, 250, 310, 311, 438],
    ioctl: 16,
  },
  // AUDIT_ARCH_AARCH64
  arm64: {
    arch: 0xc00000b7,
    refused: [117, 217, 218, 219, 270, 271, 438],
    ioctl: 29,
  },
} as const;
// ptrace, add_key, request_key, keyctl, process_vm_readv, process_vm_writev, pidfd_getfd

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const EPERM = 0x00050001;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Calls of the x32 ABI have other numbers. */
const X32 = 0x40000000;

type Line = readonly [code: number, yes: number, no: number, value: number];

/** Null for an architecture whose numbers are not known here. */
export function seccompProgram(arch: string): Uint8Array | null {
  if (arch !== "x64" && arch !== "arm64") return null;
  const { arch: audit, refused, ioctl } = CALLS[arch];
  const rest: Line[] = [
    // Distances count the lines that follow; the last two are ALLOW and EPERM.
    ...refused.map((call, i): Line => [EQUAL, refused.length - i + 4, 0, call]),
    [EQUAL, 0, 3, ioctl],
    [LOAD, 0, 0, 24],
    [EQUAL, 2, 0, TIOCSTI],
    [EQUAL, 1, 0, TIOCLINUX],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, EPERM],
  ];
  const lines: readonly Line[] = [
    [LOAD, 0, 0, 4],
    [EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, 0],
    [AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, EPERM],
    ...rest,
  ];
  const bytes = new DataView(new ArrayBuffer(lines.length * 8));
  lines.forEach(([code, yes, no, value], i) => {
    bytes.setUint16(i * 8, code, true);
    bytes.setUint8(i * 8 + 2, yes);
    bytes.setUint8(i * 8 + 3, no);
    bytes.setUint32(i * 8 + 4, value, true);
  });
  return new Uint8Array(bytes.buffer);
}
