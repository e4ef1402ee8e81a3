// Loaded before a server that traces. At each signal it traces no request more, or again. So both sides have the same compiled code.
const draw = Math.random;
let isOn = true;
/** One draw in a hundred is traced. Whatever else draws goes on as before. */
const drawAbove = (): number => 0.01 + 0.99 * draw();
Math.random = () => (isOn ? draw() : drawAbove());
process.on('SIGUSR2', () => (isOn = !isOn));
