// Package file keeps files, directories and links: their content, owner, mode and place.
//
// Shapes of changes and the words of comments are Salt's. Every function looks first and writes only what differs;
// content is written through host.Host, so a file is old or new, never half. Most functions are written once, as what
// they do: Check does it to an overlay of the machine and reports what that changed.
package file

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{
		Name:       "file",
		Describers: []modules.Describer{describer()},
		States: []modules.StateSpec{
			managedSpec(), directorySpec(), symlinkSpec(), absentSpec(), appendSpec(), recurseSpec(), replaceSpec(), lineSpec(),
			copySpec(), serializeSpec(), prependSpec(), existsSpec(), missingSpec(), renameSpec(), blockreplaceSpec(),
			touchSpec(),
			commentSpec(), uncommentSpec(), keyvalueSpec(), accumulatedSpec(), decodeSpec(), hardlinkSpec(), mknodSpec(),
			tidiedSpec(),
			retentionSpec(), patchSpec(), prunedSpec(), cachedSpec(), notCachedSpec(),
		},
		Execs: execSpecs(),
	}
}
