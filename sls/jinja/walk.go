package jinja

// children calls f for the expressions and statements directly below a node, in the order of the source.
func children(n any, f func(any)) {
	expr := func(e Expr) {
		if e != nil {
			f(e)
		}
	}
	exprs := func(es []Expr) {
		for _, e := range es {
			expr(e)
		}
	}
	nodes := func(ns []Node) {
		for _, n := range ns {
			f(n)
		}
	}
	call := func(a *callArgs) {
		exprs(a.args)
		exprs(a.kwVals)
		expr(a.dyn)
		expr(a.dkw)
	}
	switch n := n.(type) {
	case *tupleExpr:
		exprs(n.items)
	case *listExpr:
		exprs(n.items)
	case *dictExpr:
		for i := range n.keys {
			expr(n.keys[i])
			expr(n.vals[i])
		}
	case *condExpr:
		expr(n.test)
		expr(n.then)
		expr(n.els)
	case *boolExpr:
		expr(n.left)
		expr(n.right)
	case *notExpr:
		expr(n.x)
	case *unaryExpr:
		expr(n.x)
	case *binExpr:
		expr(n.left)
		expr(n.right)
	case *concatExpr:
		exprs(n.parts)
	case *compareExpr:
		expr(n.first)
		for _, op := range n.ops {
			expr(op.x)
		}
	case *attrExpr:
		expr(n.x)
	case *itemExpr:
		expr(n.x)
		expr(n.key)
	case *sliceExpr:
		expr(n.start)
		expr(n.stop)
		expr(n.step)
	case *callExpr:
		expr(n.fn)
		call(&n.callArgs)
	case *filterExpr:
		expr(n.x)
		call(&n.callArgs)
	default:
		childrenOfStatement(n, f, expr, exprs, nodes)
	}
}

func childrenOfStatement(n any, f func(any), expr func(Expr), exprs func([]Expr), nodes func([]Node)) {
	switch n := n.(type) {
	case *outputNode:
		exprs(n.parts)
	case *assignNode:
		expr(n.target)
		expr(n.x)
	case *assignBlockNode:
		expr(n.target)
		if n.filter != nil {
			f(n.filter)
		}
		nodes(n.body)
	case *ifNode:
		expr(n.test)
		nodes(n.body)
		for _, e := range n.elifs {
			f(e)
		}
		nodes(n.els)
	case *forNode:
		expr(n.target)
		expr(n.iter)
		nodes(n.body)
		nodes(n.els)
		expr(n.test)
	case *withNode:
		exprs(n.targets)
		exprs(n.vals)
		nodes(n.body)
	case *macroNode:
		exprs(n.defaults)
		nodes(n.body)
	case *callBlockNode:
		f(n.call)
		exprs(n.defaults)
		nodes(n.body)
	case *filterBlockNode:
		nodes(n.body)
		f(n.filter)
	case *blockNode:
		nodes(n.body)
	case *extendsNode:
		expr(n.x)
	case *includeNode:
		expr(n.x)
	case *importNode:
		expr(n.x)
	case *fromNode:
		expr(n.x)
	case *doNode:
		expr(n.x)
	case *autoescapeNode:
		expr(n.x)
		nodes(n.body)
	case *groupNode:
		nodes(n.body)
	case Exec:
		exprs(n.Exprs())
		for _, b := range n.Bodies() {
			nodes(b)
		}
	}
}

// findAll calls f for every node below the given ones.
func findAll(ns []Node, f func(any)) {
	var walk func(any)
	walk = func(n any) {
		f(n)
		children(n, walk)
	}
	for _, n := range ns {
		walk(n)
	}
}

// targetNames calls f with the names that an assignment to target binds.
func targetNames(target Expr, f func(*nameExpr)) {
	switch t := target.(type) {
	case *nameExpr:
		f(t)
	case *tupleExpr:
		for _, it := range t.items {
			targetNames(it, f)
		}
	}
}

// undeclared says which of the names the body reads without having set them before; what blocks read does not count.
func undeclared(body []Node, names ...string) map[string]bool {
	open := map[string]bool{}
	for _, n := range names {
		open[n] = true
	}
	found := map[string]bool{}
	store := func(e Expr) { targetNames(e, func(n *nameExpr) { delete(open, n.name) }) }
	var walk func(any)
	walk = func(n any) {
		switch n := n.(type) {
		case *nameExpr:
			if open[n.name] {
				found[n.name] = true
			}
			return
		case *blockNode:
			return
		case *assignNode:
			store(n.target)
			walk(n.x)
			return
		case *assignBlockNode:
			store(n.target)
			if n.filter != nil {
				walk(n.filter)
			}
			for _, b := range n.body {
				walk(b)
			}
			return
		case *forNode:
			store(n.target)
			children(&forNode{iter: n.iter, body: n.body, els: n.els, test: n.test}, walk)
			return
		case *withNode:
			for _, t := range n.targets {
				store(t)
			}
			children(&withNode{vals: n.vals, body: n.body}, walk)
			return
		case *macroNode:
			for _, p := range n.params {
				delete(open, p.name)
			}
		case *callBlockNode:
			walk(n.call)
			for _, p := range n.params {
				delete(open, p.name)
			}
			children(&n.macroNode, walk)
			return
		}
		children(n, walk)
	}
	for _, n := range body {
		walk(n)
	}
	return found
}
