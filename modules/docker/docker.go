// Package docker keeps containers, images, networks and volumes of Docker as the arguments say, over the socket of its
// daemon. Podman's daemon speaks the same.
//
// What a container is to be like is compared with what the daemon says of it. Arguments that are not given are compared
// with what the image and the daemon give to a new container, so that one that is taken away is seen.
package docker

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "docker", States: []modules.StateSpec{
		runningSpec(), stoppedSpec(), containerAbsentSpec(),
		imageSpec(), imageAbsentSpec(), networkSpec(), networkAbsentSpec(), volumeSpec(), volumeAbsentSpec(),
	}, Execs: execSpecs()}
}
