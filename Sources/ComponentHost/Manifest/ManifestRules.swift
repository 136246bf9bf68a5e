// Versions and their ranges are part of what a manifest says: whoever imports this module has them.
@_exported public import ManifestRules
