package syntax

// Each calls f with the nodes right below a node.
func Each(n Node, f func(Node)) {
	all := func(nodes []Node) {
		for _, x := range nodes {
			f(x)
		}
	}
	one := func(x Node) {
		if x != nil {
			f(x)
		}
	}
	entries := func(es []HashEntry) {
		for _, e := range es {
			f(e.Key)
			f(e.Val)
		}
	}
	ops := func(as []Attribute) {
		for _, a := range as {
			f(a.Val)
		}
	}
	params := func(ps []*Param) {
		for _, p := range ps {
			one(p.Type)
			one(p.Default)
		}
	}
	switch n := n.(type) {
	case *Interp:
		all(n.Parts)
	case *List:
		all(n.Items)
	case *Hash:
		entries(n.Entries)
	case *Splat:
		f(n.Of)
	case *Access:
		f(n.Of)
		all(n.Keys)
	case *Call:
		f(n.Of)
		all(n.Args)
		if n.Lambda != nil {
			f(n.Lambda)
		}
	case *Lambda:
		params(n.Params)
		one(n.Returns)
		all(n.Body)
	case *Unary:
		f(n.Of)
	case *Binary:
		f(n.L)
		f(n.R)
	case *Assign:
		f(n.L)
		f(n.R)
	case *Selector:
		f(n.Of)
		entries(n.Options)
	case *If:
		f(n.Cond)
		all(n.Then)
		all(n.Else)
	case *Case:
		f(n.Of)
		for _, o := range n.Options {
			all(o.Values)
			all(o.Body)
		}
	case *Block:
		all(n.Body)
	case *Resource:
		f(n.Type)
		for _, b := range n.Bodies {
			f(b.Title)
			ops(b.Ops)
		}
	case *Override:
		f(n.Of)
		ops(n.Ops)
	case *Collector:
		f(n.Type)
		one(n.Query)
		ops(n.Ops)
	case *Relation:
		f(n.L)
		f(n.R)
	case *Class:
		params(n.Params)
		all(n.Body)
	case *NodeDef:
		all(n.Body)
	case *Function:
		params(n.Params)
		one(n.Returns)
		all(n.Body)
	case *TypeAlias:
		f(n.Type)
	case *Print:
		f(n.Of)
	}
}
