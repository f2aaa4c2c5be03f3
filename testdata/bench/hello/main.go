// Command hello is the yardstick of start-up: a Go program that does nothing but print.
package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
