package reuse

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stdlib"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// lends are functions of which the documentation, or the code, says that no argument is kept
// when they have returned.
var lends = []string{
	"bytes.Compare", "bytes.Contains", "bytes.Equal", "bytes.HasPrefix", "bytes.HasSuffix", "bytes.Index", "bytes.IndexByte", "bytes.Count", "bytes.EqualFold",
	"crypto/rand.Read", "crypto/subtle.ConstantTimeCompare",
	"encoding/binary.Read", "encoding/binary.Write", "encoding/binary.PutUvarint", "encoding/binary.PutVarint", "encoding/binary.Uvarint", "encoding/binary.Varint",
	"encoding/hex.Encode", "encoding/hex.Decode", "encoding/hex.EncodeToString",
	"encoding/json.Compact", "encoding/json.HTMLEscape", "encoding/json.Indent", "encoding/json.Unmarshal", "encoding/json.Valid",
	"encoding/xml.Unmarshal", "encoding/xml.EscapeText",
	"fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln",
	"go/format.Node", "go/printer.Fprint",
	"hash/crc32.ChecksumIEEE", "hash/crc32.Checksum", "hash/crc32.Update", "hash/crc64.Checksum", "hash/adler32.Checksum",
	"crypto/sha256.Sum256", "crypto/sha1.Sum", "crypto/md5.Sum", "crypto/sha512.Sum512",
	"html.EscapeString", "html/template.HTMLEscape", "text/template.HTMLEscape", "text/template.JSEscape",
	"(*html/template.Template).Execute", "(*html/template.Template).ExecuteTemplate", "(*text/template.Template).Execute", "(*text/template.Template).ExecuteTemplate",
	"image/jpeg.Encode", "image/png.Encode", "image/gif.Encode",
	"io.Copy", "io.CopyBuffer", "io.CopyN", "io.ReadAtLeast", "io.ReadFull", "io.WriteString", "io.ReadAll",
	"maps.Copy", "maps.Clone", "maps.Equal", "maps.EqualFunc", "maps.DeleteFunc",
	"os.WriteFile",
	"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Contains", "slices.ContainsFunc", "slices.Index", "slices.IndexFunc", "slices.Reverse", "slices.Equal",
	"slices.BinarySearch", "slices.BinarySearchFunc", "slices.Clone", "slices.Max", "slices.Min", "bytes.Clone",
	"sort.Slice", "sort.SliceStable", "sort.Strings", "sort.Ints", "sort.Float64s", "sort.Search",
	"strings.Join", "unicode/utf8.Valid", "unicode/utf8.DecodeRune", "unicode/utf8.RuneCount", "unicode/utf8.EncodeRune",
	"(encoding/binary.littleEndian).Uint16", "(encoding/binary.littleEndian).Uint32", "(encoding/binary.littleEndian).Uint64",
	"(encoding/binary.littleEndian).PutUint16", "(encoding/binary.littleEndian).PutUint32", "(encoding/binary.littleEndian).PutUint64",
	"(encoding/binary.bigEndian).Uint16", "(encoding/binary.bigEndian).Uint32", "(encoding/binary.bigEndian).Uint64",
	"(encoding/binary.bigEndian).PutUint16", "(encoding/binary.bigEndian).PutUint32", "(encoding/binary.bigEndian).PutUint64",
	"(*encoding/base64.Encoding).Encode", "(*encoding/base64.Encoding).Decode", "(*encoding/base64.Encoding).EncodeToString",
	"(*regexp.Regexp).Match", "(*bytes.Buffer).Write", "(*strings.Builder).Write", "(*bytes.Buffer).ReadFrom", "(*bytes.Buffer).WriteTo",
	"(*net.UDPConn).ReadFromUDP", "(*net.UDPConn).ReadMsgUDP", "(*net.UDPConn).ReadFromUDPAddrPort", "(*net.UDPConn).WriteToUDP", "(*net.UDPConn).WriteToUDPAddrPort", "(*net.UDPConn).WriteMsgUDP",
}

// nilTellers are those of them that do another thing with nil than with what is empty.
var nilTellers = []string{
	"bytes.Clone", "slices.Clone", "io.CopyBuffer",
	"(*html/template.Template).Execute", "(*html/template.Template).ExecuteTemplate", "(*text/template.Template).Execute", "(*text/template.Template).ExecuteTemplate",
}

// fills are those of them that make room in a buffer to which they may write nothing.
var fills = []string{"io.Copy", "io.CopyBuffer", "io.CopyN", "encoding/json.Compact", "encoding/json.HTMLEscape", "encoding/json.Indent"}

// tellsNil reports whether a call of a function that lends may tell nil from what is empty: of the
// verbs of fmt, %#v does.
func tellsNil(info *types.Info, name string, call *ast.CallExpr) bool {
	format := slices.Index([]string{"fmt.Sprintf", "fmt.Fprintf"}, name)
	if format < 0 || format >= len(call.Args) {
		return slices.Contains(nilTellers, name)
	}
	text := info.Types[call.Args[format]].Value
	return text == nil || strings.Contains(text.ExactString(), "#")
}

// reads reports whether a function may read from an argument, by an interface that has Read.
func reads(fn *types.Func, at int) bool {
	params := fn.Signature().Params()
	if params.Len() == 0 {
		return false
	}
	t := params.At(min(at, params.Len()-1)).Type()
	if s, ok := t.(*types.Slice); ok && fn.Signature().Variadic() && at >= params.Len()-1 {
		t = s.Elem()
	}
	if !types.IsInterface(t) {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(t, false, fn.Pkg(), "Read")
	return found != nil
}

// wraps are constructors whose result keeps the argument, and nothing else does.
var wraps = []string{
	"bufio.NewReader", "bufio.NewReaderSize", "bufio.NewWriter", "bufio.NewWriterSize", "bufio.NewScanner",
	"bytes.NewReader", "compress/flate.NewReader", "compress/flate.NewWriter", "compress/gzip.NewReader", "compress/gzip.NewWriter", "compress/gzip.NewWriterLevel",
	"compress/zlib.NewReader", "compress/zlib.NewWriter", "compress/zlib.NewWriterLevel",
	"encoding/base64.NewDecoder", "encoding/base64.NewEncoder", "encoding/csv.NewReader", "encoding/csv.NewWriter",
	"encoding/gob.NewDecoder", "encoding/gob.NewEncoder", "encoding/hex.NewEncoder", "encoding/hex.Dumper",
	"encoding/json.NewDecoder", "encoding/json.NewEncoder", "encoding/xml.NewDecoder", "encoding/xml.NewEncoder",
	"io.LimitReader", "io.MultiReader", "io.MultiWriter", "io.TeeReader", "mime/quotedprintable.NewWriter", "text/tabwriter.NewWriter",
}

// borrowers are methods, with the number of their parameters, that use a slice during the call
// only: "implementations must not retain p", io.Reader and io.Writer say.
var borrowers = map[string]int{"Write": 1, "Read": 1, "WriteAt": 2, "ReadAt": 2, "WriteTo": 2, "ReadFrom": 1}

// standard reports whether a type is of the standard library, whose interfaces and types keep
// that promise.
func standard(t types.Type) bool {
	name := syntax.TypeName(t)
	return name != nil && stdlib.Has(name.Pkg().Path())
}
