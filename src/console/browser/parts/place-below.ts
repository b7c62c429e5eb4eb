/** Where something opens: below its button, or above it where there is no room; within the window in any case. */

const MARGIN = 8;
const GAP = 4;

export const placeBelow = (opened: HTMLElement, button: HTMLElement): void => {
  const { left, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = opened;
  const isAbove = bottom + height + MARGIN > innerHeight && top > height;
  opened.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  opened.style.top = `${isAbove ? top - height - GAP : bottom + GAP}px`;
};
