package compile

// coreSignatures are the ways to call a function of the language, one a line, as Puppet declares them; "" for those
// that check for themselves.
func coreSignatures(name string) string {
	switch name {
	case "abs", "ceiling", "floor":
		return "Numeric val\n" +
			"String val"
	case "all", "any", "each", "filter", "map":
		return "Hash[Any, Any] hash, Callable[2,2] block\n" +
			"Hash[Any, Any] hash, Callable[1,1] block\n" +
			"Iterable enumerable, Callable[2,2] block\n" +
			"Iterable enumerable, Callable[1,1] block"
	case "break":
		return " "
	case "getvar":
		return `Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] get_string, Any default_value?, ` +
			"Callable[1,1] block?"
	case "compare":
		return "Any a, Any b, Boolean ignore_case?"
	case "fqdn_rand":
		return "Any max, Any seed*"
	case "assert_type":
		return "Type type, Any value, Callable[Type, Type] block?\n" +
			"String type_string, Any value, Callable[Type, Type] block?"
	case "binary_file":
		return "String path"
	case "call":
		return "String function_name, Any arguments*, Callable block?\n" +
			"Deferred deferred"
	case "camelcase", "capitalize", "chomp", "chop", "lstrip", "rstrip", "strip":
		return "Numeric arg\n" +
			"String arg\n" +
			"Iterable[Variant[String, Numeric]] arg"
	case "contain", "include", "require":
		return "Any names+"
	case "convert_to":
		return "Any value, Type type, Any args*, Callable[1,1] block?"
	case "defined":
		return "Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] vals+"
	case "dig":
		return "Optional[Collection] data, Any arg*"
	case "downcase", "upcase":
		return "Numeric arg\n" +
			"String arg\n" +
			"Array[Variant[String, Numeric, Array, Hash]] arg\n" +
			"Hash[Variant[String, Numeric, Array, Hash], Variant[String, Numeric, Array, Hash]] arg"
	case "empty":
		return "Collection coll\n" +
			"Sensitive[String] str\n" +
			"String str\n" +
			"Numeric num\n" +
			"Binary bin\n" +
			"Undef x"
	case "epp":
		return `String path, Hash[Pattern[/^\w+$/], Any] parameters?`
	case "find_file", "find_template":
		return "String paths*\n" +
			"Array[String] paths_array*"
	case "flatten":
		return "Any args*"
	case "get":
		return "Any value, String dotted_string, Any default_value?, Callable[1,1] block?"
	case "group_by", "partition":
		return "Collection collection, Callable[1,1] block\n" +
			"Array array, Callable[2,2] block\n" +
			"Collection collection, Callable[2,2] block"
	case "index":
		return "Hash[Any, Any] hash, Callable[2,2] block\n" +
			"Hash[Any, Any] hash, Callable[1,1] block\n" +
			"Iterable enumerable, Callable[2,2] block\n" +
			"Iterable enumerable, Callable[1,1] block\n" +
			"String str, Variant[String,Regexp] match\n" +
			"Iterable enumerable, Any match"
	case "inline_epp":
		return `String template, Hash[Pattern[/^\w+$/], Any] parameters?`
	case "join":
		return "Array arg, String delimiter?"
	case "keys", "values":
		return "Hash hsh"
	case "length":
		return "Collection arg\n" +
			"String arg\n" +
			"Binary arg"
	case "lest":
		return "Any arg, Callable[0,0] block"
	case "match":
		return "String string, Variant[Any, Type] pattern\n" +
			"Array[String] string, Variant[Any, Type] pattern"
	case "max", "min":
		return "Numeric values*\n" +
			"String values*\n" +
			"Array[Numeric] values, Callable[2,2] block?\n" +
			"Array[String] values, Callable[2,2] block?\n" +
			"Array values, Callable[2,2] block?\n" +
			"Any values*, Callable[2,2] block\n" +
			"Any values*"
	case "module_directory":
		return "String names*\n" +
			"Array[String] names*"
	case "next", "return":
		return "Any value?"
	case "alert", "crit", "debug", "emerg", "err", "info", "notice", "warning":
		return "Any values*"
	case "reduce":
		return "Iterable enumerable, Callable[2,2] block\n" +
			"Iterable enumerable, Any memo, Callable[2,2] block"
	case "regsubst":
		return "Variant[Array[String],String] target, String pattern, Variant[String,Hash[String,String]] replacement, " +
			"Optional[Pattern[/^[GEIM]*$/]] flags?, Enum['N','E','S','U'] encoding?\n" +
			"Variant[Array[String],String] target, Variant[Regexp,Type[Regexp]] pattern, Variant[String,Hash[String,String]] " +
			"replacement, Pattern[/^G?$/] flags?"
	case "reverse_each":
		return "Iterable iterable\n" +
			"Iterable iterable, Callable[1,1] block"
	case "round":
		return "Numeric val"
	case "size":
		return "Variant[Collection, String, Binary] arg"
	case "slice":
		return "Hash[Any, Any] hash, Integer[1, default] slice_size, Callable block?\n" +
			"Iterable enumerable, Integer[1, default] slice_size, Callable block?"
	case "sort":
		return "String string_value, Callable[2,2] block?\n" +
			"Array array_value, Callable[2,2] block?"
	case "split":
		return "String str, String pattern\n" +
			"String str, Regexp pattern\n" +
			"String str, Type[Regexp] pattern"
	case "step":
		return "Iterable iterable, Integer[1] step\n" +
			"Iterable iterable, Integer[1] step, Callable[1,1] block"
	case "strftime":
		return "Timespan time_object, String format\n" +
			"Timestamp time_object, String format, String timezone?\n" +
			"String format, String timezone?"
	case "then":
		return "Any arg, Callable[1,1] block"
	case "tree_each":
		return "Variant[Iterator, Array, Hash, Object] tree, Struct[{container_type => Optional[Type], include_root => " +
			"Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => " +
			"Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] options?, Callable[2,2] block\n" +
			"Variant[Iterator, Array, Hash, Object] tree, Struct[{container_type => Optional[Type], include_root => " +
			"Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => " +
			"Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] options?, Callable[1,1] block\n" +
			"Variant[Iterator, Array, Hash, Object] tree, Struct[{container_type => Optional[Type], include_root => " +
			"Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => " +
			"Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}] options?"
	case "type":
		return "Any value, Enum[detailed] inference_method?\n" +
			"Any value, Enum[reduced] inference_method\n" +
			"Any value, Enum[generalized] inference_method"
	case "unique":
		return "String string, Callable[String] block?\n" +
			"Hash hash, Callable[Any] block?\n" +
			"Array array, Callable[Any] block?\n" +
			"Iterable iterable, Callable[Any] block?"
	case "unwrap":
		return "Sensitive arg, Callable block?\n" +
			"Any arg, Callable block?"
	case "versioncmp":
		return "String a, String b, Boolean ignore_trailing_zeroes?"
	case "with":
		return "Any arg*, Callable block"
	}
	return ""
}
