"""Files that jobs write and read: tables, arrays, models and the manifest."""
