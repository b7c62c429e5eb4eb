/** In place of building the package: the copy has built it, or its tests of the pure core need none. */
export default () => {};
