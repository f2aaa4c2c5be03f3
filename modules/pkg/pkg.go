// Package pkg installs, upgrades, holds and removes packages.
//
// What is installed is read from the package database once a run, whatever the number of states; what could be
// installed is asked in one call for all names of a state. Changes are the difference of the database before and after,
// so that the packages that came along are in them. The package manager is hidden behind Provider: apt, dnf and yum,
// zypper, pacman, apk.
package pkg

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{
		Name: "pkg",
		States: []modules.StateSpec{
			installedSpec(), removedSpec(), purgedSpec(), latestSpec(), uptodateSpec(), heldSpec(), unheldSpec(),
			downloadedSpec(),
			groupSpec(),
			elsewhereSpec("pkg.patch_installed", "Keeps the packages of advisories installed.",
				"The pkg.patch_installed state is not available on this platform"),
			elsewhereSpec("pkg.patch_downloaded", "Keeps the packages of advisories downloaded.",
				"The pkg.patch_downloaded state is not available on this platform"),
		},
		Execs: execSpecs(), Describers: describers(),
	}
}
