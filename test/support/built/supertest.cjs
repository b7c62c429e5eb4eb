module.exports = globalThis.shared.supertest;
