package run_test

import (
	"os"
	"testing"

	"github.com/gostate/gostate/state/host/hosttest"
)

func TestMain(m *testing.M) {
	hosttest.SameTrees()
	os.Exit(m.Run())
}
