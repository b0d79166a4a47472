"""The tables of what is kept of a page, and where."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from helios.settings.words import least, like, says

TextKind: TypeAlias = Literal["main", "reader", "full", "none"]
Duplicates: TypeAlias = Literal["store", "facts", "skip", "ignore"]
StoreKind: TypeAlias = Literal["lance", "warc", "parquet", "jsonl"]
Packing: TypeAlias = Literal["gzip", "zstd", "plain"]
Digest: TypeAlias = Literal["sha1", "sha256"]


class FieldRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of each page, chosen by a CSS selector."""

    name: Annotated[str, says("its name in the column fields")]
    selector: Annotated[str, says('a CSS selector; "::text" or "::attr(name)" at its end choose what of the element')]
    many: Annotated[bool, says("all that it finds, as a list; else the first")] = False


class Extract(Struct, frozen=True, forbid_unknown_fields=True):
    """What is taken from a page."""

    max_links: Annotated[int, least(0, "links of one page that are followed; the rest is a link farm")] = 10_000
    max_text_bytes: Annotated[int, least(0, "bytes of text kept of one page")] = 2_000_000
    text: Annotated[
        TextKind,
        says(
            '"main": without menus, teasers and notices; "reader": what the reader view of a browser shows; '
            '"full": all that the page could show; "none": links alone'
        ),
    ] = "main"
    markdown: Annotated[bool, says("keep the main text as markdown, too")] = True
    facts: Annotated[bool, says("keep headings, Open Graph, JSON-LD and other structured data, as JSON")] = True
    duplicates: Annotated[
        Duplicates,
        says('pages like another one: "store" them, store only their "facts", "skip" them, or "ignore" that'),
    ] = "store"
    follow_duplicates: Annotated[bool, says("follow the links of duplicates")] = True
    similarity: Annotated[
        float, Meta(ge=0.5, le=1.0), says("part of their five-word shingles that duplicates share at least")
    ] = 0.8
    fields: Annotated[
        list[FieldRule], says('what you want of each page: { name = "price", selector = ".price::text", many = false }')
    ] = []
    pdf: Annotated[bool, says("read the text of PDF files, too; needs the extra pdf")] = False
    pdf_pages: Annotated[int, least(1, "pages of one PDF that are read")] = 500
    pdf_ms: Annotated[int, least(1, "milliseconds that reading one PDF may take")] = 10_000
    hook: (
        Annotated[
            str,
            like(
                r"^[^:\s]+:[^:\s]+$",
                'a module, a colon and a function, such as "shop:price"',
                'a Python function that gets each page and returns more fields: "module:function"',
            ),
        ]
        | None
    ) = None


class Embed(Struct, frozen=True, forbid_unknown_fields=True):
    """Vectors of pages, for search by meaning (docs/embed.md). Cannot change once a crawl has begun."""

    model: (
        Annotated[
            str,
            says('"static", "transformer", a file of a static model, or "module:function"; none: no vectors'),
        ]
        | None
    ) = None
    chunk_words: Annotated[int, least(1, "words of one chunk; a page has the mean of its chunks")] = 170
    max_chunks: Annotated[int, least(1, "chunks of one page; what comes after them is left out")] = 64
    chunks: Annotated[bool, says("keep the vectors of chunks, too")] = False


class Store(Struct, frozen=True, forbid_unknown_fields=True):
    """How pages reach the table, and what else is written beside it."""

    kinds: Annotated[
        tuple[StoreKind, ...],
        Meta(min_length=1, description='where pages go: "lance", which helios reads, "warc", "parquet", "jsonl"'),
    ] = ("lance",)
    raw: Annotated[bool, says("keep the body of each page, content coding undone, in the column raw, as zstd")] = False

    batch_ms: Annotated[int, least(1, "milliseconds that finished pages wait for company before they are stored")] = 250
    batch_pages: Annotated[int, least(1, "pages stored at once, at most")] = 1_024
    publish_ms: Annotated[int, least(0, "milliseconds between two steps that make stored pages visible")] = 2_000
    rows_per_file: Annotated[int, least(1, "rows of one data file, at most")] = 65_536
    compact_files: Annotated[int, least(2, "data files of about one size that are merged when there are so many")] = 64
    index_rows: Annotated[
        int,
        least(0, "published rows after which they join the search index while crawling; 0: when somebody searches"),
    ] = 0
    url: Annotated[str, says('the page table in an object store: "s3://bucket/prefix"; else in the folder')] | None = (
        None
    )
    endpoint: Annotated[str, says("address of an object store that is not Amazon's: https://host:port")] | None = None
    region: Annotated[str, says("of the object store; else as the AWS tools find it")] | None = None
    allow_http: Annotated[bool, says("speak to the object store without TLS; for one on this machine")] = False
    wait_seconds: Annotated[int, least(1, "seconds to ask an object store again that does not answer")] = 300

    warc_bytes: Annotated[int, least(1, "bytes of one WARC or JSONL file, about; then a new one is begun")] = (
        1_000_000_000
    )
    warc_packing: Annotated[Packing, says('records are packed one by one: "gzip", "zstd" or "plain"')] = "gzip"
    warc_level: Annotated[int, Meta(ge=1, le=12, description="higher is smaller and slower; 1 if none")] | None = None
    warc_digest: Annotated[Digest, says('"sha1", which all tools know, or "sha256"')] = "sha1"
    warc_revisits: Annotated[bool, says("write a body once, and later ones that are the same as references to it")] = (
        True
    )
    warc_originals: Annotated[int, least(1, "bodies that are remembered for that; about 300 bytes each")] = 200_000
    jsonl: Annotated[str, says('"-" writes lines of JSON to standard output; else to files in the folder')] | None = (
        None
    )
