/** Fewer pixels than this are a click. */
const DRAG_BEGINS = 4;

/** Scrolls with the mouse from here to where it is let go; a drag is no click. */
export function drag(node: HTMLElement, start: PointerEvent): void {
  if (start.button !== 0 || start.pointerType !== 'mouse') {
    return;
  }
  const { scrollLeft, scrollTop } = node;
  let dragged = false;
  const move = (event: PointerEvent): void => {
    const dx = event.clientX - start.clientX;
    const dy = event.clientY - start.clientY;
    dragged ||= Math.hypot(dx, dy) > DRAG_BEGINS;
    if (dragged) {
      node.classList.add('jtv-dragged');
      node.scrollLeft = scrollLeft - dx;
      node.scrollTop = scrollTop - dy;
    }
  };
  const end = (): void => {
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', end);
    document.removeEventListener('pointercancel', end);
    node.classList.remove('jtv-dragged');
    if (dragged) {
      const swallow = (event: Event): void => event.stopPropagation();
      node.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() =>
        node.removeEventListener('click', swallow, { capture: true })
      );
    }
  };
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', end);
  document.addEventListener('pointercancel', end);
}
