module.exports = globalThis.shared.library;
