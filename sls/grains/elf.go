package grains

import (
	"encoding/binary"
	"io"
)

// What the head of an ELF file says, from the System V ABI and elf.h. The package debug/elf, which has these numbers,
// too, brings a reader of debugging data with it.
const (
	elfMagic     = "\x7fELF"
	elfClass     = 4 // the offset of the class: 2 for 64 bits
	elfData      = 5 // the offset of the byte order: 1 for little-endian
	elf386       = 3
	elfPPC64     = 21
	elfS390      = 22
	elfARM       = 40
	elfAMD64     = 62
	elfAArch64   = 183
	elfRISCV     = 243
	elfHardFloat = 0x400 // a flag of ARM
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
	if _, err := io.ReadFull(f, head); err != nil || string(head[:4]) != elfMagic {
		return ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	little := head[elfData] == 1
	if !little {
		order = binary.BigEndian
	}
	wide := head[elfClass] == 2
	switch machine := order.Uint16(head[18:]); {
	case machine == elfAMD64 && wide:
		return "amd64"
	case machine == elf386:
		return "i386"
	case machine == elfAArch64 && little:
		return "arm64"
	case machine == elfARM && order.Uint32(head[36:])&elfHardFloat != 0:
		return "armhf"
	case machine == elfARM:
		return "armel"
	case machine == elfPPC64 && little:
		return "ppc64el"
	case machine == elfRISCV && wide:
		return "riscv64"
	case machine == elfS390 && wide:
		return "s390x"
	}
	return ""
}
