package bus

// Permissions are the subjects that a user of a role may publish to and subscribe to; name is the user's, or the
// template that NATS puts it in for. A machine reads what is for all, and writes what is its own:
//
//	its reports and what it publishes in the mine; the newest release, its blobs, jobs and the mine by DIRECT GET
//
// It makes no stream, consumer or bucket, purges and deletes nothing, and hears only what wakes it and answers to it.
// Who joins writes a request, and reads the answer to it.
func Permissions(role, name string) (publish, subscribe []string) {
	const get = "$JS.API.DIRECT.GET."
	switch role {
	case "node":
		return []string{
			"report." + name, "$KV." + Mine + ".*.*." + name,
			get + "KV_" + Releases + ".$KV." + Releases + ".*",
			get + "KV_" + Releases + ".$KV." + Releases + ".*." + name, get + Blobs + ".blob.*.*", get + Jobs,
			get + "KV_" + Mine, get + "KV_" + Mine + ".$KV." + Mine + ".*.*.*",
		}, []string{WakeAll, "wake.env.*", "wake.node." + name, inbox(name) + ".>"}
	case "join":
		return []string{"enrol.*.*", get + Welcome + ".welcome.*.*"}, []string{inbox(name) + ".>"}
	}
	return nil, nil
}
