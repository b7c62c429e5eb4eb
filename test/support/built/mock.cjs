module.exports = globalThis.shared.mock;
