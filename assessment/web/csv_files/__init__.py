"""Tables as files: read as spreadsheet programs save them, written as they open them."""
