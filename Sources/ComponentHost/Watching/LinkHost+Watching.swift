extension LinkHost {
    /// Watches the directories and looks through them again by itself when something has changed there.
    ///
    ///     for await change in host.watch() {
    ///         print(change.component ?? change.path ?? "", change)
    ///     }
    ///
    /// Directories that do not exist yet, or are deleted and made again, are waited for. A file that is being written
    /// is looked at when it is closed and nothing has happened for a moment, after two seconds at the latest. Where the
    /// system has no watches left, the log says so and the directories are looked at every few seconds.
    ///
    /// Each sequence is told everything that any look finds, ``rescan()`` included. All of them share one thread, which
    /// ends with the last of them. Any thread.
    public func watch() -> CatalogChanges { CatalogChanges(stream: core.watching.subscribe(core)) }
}
