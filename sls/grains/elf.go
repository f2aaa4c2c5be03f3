package grains

import (
	"debug/elf"
	"encoding/binary"
	"io"
)

// dpkgArch is the architecture that dpkg itself was built for, read from the head of its file: what it would print,
// without running it. "" where the head does not say.
func (c *core) dpkgArch() string {
	f, err := c.h.Open("/usr/bin/dpkg")
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 52)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:4]) != elf.ELFMAG {
		return ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	little := head[elf.EI_DATA] == byte(elf.ELFDATA2LSB)
	if !little {
		order = binary.BigEndian
	}
	wide := head[elf.EI_CLASS] == byte(elf.ELFCLASS64)
	const hardFloat = 0x400
	switch machine := elf.Machine(order.Uint16(head[18:])); {
	case machine == elf.EM_X86_64 && wide:
		return "amd64"
	case machine == elf.EM_386:
		return "i386"
	case machine == elf.EM_AARCH64 && little:
		return "arm64"
	case machine == elf.EM_ARM && order.Uint32(head[36:])&hardFloat != 0:
		return "armhf"
	case machine == elf.EM_ARM:
		return "armel"
	case machine == elf.EM_PPC64 && little:
		return "ppc64el"
	case machine == elf.EM_RISCV && wide:
		return "riscv64"
	case machine == elf.EM_S390 && wide:
		return "s390x"
	}
	return ""
}
