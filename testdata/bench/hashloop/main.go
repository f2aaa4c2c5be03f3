// Command hashloop is the yardstick of a no-op run: it reads and hashes the files of two directories, and nothing else.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	same := 0
	for i := range 1000 {
		name := fmt.Sprintf("f%04d", i)
		if hash(filepath.Join(os.Args[1], name)) == hash(filepath.Join(os.Args[2], name)) {
			same++
		}
	}
	fmt.Println(same)
}

func hash(path string) [32]byte {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return sha256.Sum256(b)
}
