/** In place of building the package, for tests of the pure core. A test that needs the package cannot load then. */
export default () => {};
