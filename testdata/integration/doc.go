// Package integration holds the tests that need a real machine: disposable Debian hosts with systemd as PID 1, D-Bus
// and apt.
//
// The scripts in host make and boot them; run.sh (make integration) prepares them and runs the tests, which are built
// only with the tag "integration". Each test boots hosts of its own, so that tests do not see each other.
package integration
