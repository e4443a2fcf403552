/**
 * Sounds, made of oscillators and noise: nothing is fetched. Each is a short score: what begins when (seconds), at
 * which frequency, for how long and how loud. A wave is an oscillator's, or "noise" through a band of that frequency.
 */

/** @type {Record<string, [wave: string, at: number, hertz: number, seconds: number, loud: number][]>} */
const SCORES = {
  pick: [["noise", 0, 3200, 0.03, 0.1]],
  card: [["noise", 0, 1700, 0.07, 0.32], ["sine", 0.004, 170, 0.06, 0.2]],
  deal: [0, 0.07, 0.14].map((at) => ["noise", at, 2600, 0.05, 0.16]),
  turn: [["triangle", 0, 659.3, 0.16, 0.2], ["triangle", 0.11, 880, 0.26, 0.22]],
  tick: [["square", 0, 1250, 0.025, 0.05]],
  flip: [["noise", 0, 900, 0.16, 0.2], ["sine", 0.02, 392, 0.12, 0.1]],
  take: [["triangle", 0, 523.3, 0.12, 0.14], ["noise", 0.02, 2100, 0.09, 0.14]],
  coin: [["sine", 0, 1975.5, 0.09, 0.1], ["sine", 0.06, 2637, 0.2, 0.1]],
  bang: [["noise", 0, 420, 0.22, 0.6], ["sine", 0, 82, 0.2, 0.4]],
  hurt: [["sawtooth", 0, 233.1, 0.14, 0.1], ["sawtooth", 0.11, 174.6, 0.26, 0.1]],
  out: [["triangle", 0, 392, 0.18, 0.18], ["triangle", 0.16, 311.1, 0.18, 0.18], ["triangle", 0.32, 233.1, 0.42, 0.18]],
  win: [523.3, 659.3, 784, 1046.5].map((hertz, i) => ["triangle", i * 0.11, hertz, i === 3 ? 0.55 : 0.2, 0.2]),
  end: [["triangle", 0, 523.3, 0.22, 0.16], ["triangle", 0.18, 392, 0.42, 0.16]],
};

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let hiss = null;

/** Browsers let a page sound only after somebody has touched it; before that there is nothing to play on. */
export function armSounds() {
  const arm = () => {
    audio ??= "AudioContext" in window ? new AudioContext() : null;
    if (audio?.state === "suspended") audio.resume().catch(() => {});
  };
  addEventListener("pointerup", arm, { passive: true });
  addEventListener("keyup", arm, { passive: true });
}

/** @param {string | null | undefined} name */
export function sound(name) {
  if (!name || audio?.state !== "running" || document.visibilityState !== "visible") return;
  for (const note of SCORES[name] ?? []) strike(audio, ...note);
}

export const sounds = Object.keys(SCORES);

function strike(on, wave, at, hertz, seconds, loud) {
  const start = on.currentTime + at;
  const volume = on.createGain();
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  volume.connect(on.destination);
  const source = wave === "noise" ? noise(on, hertz, volume) : tone(on, wave, hertz, volume);
  source.start(start);
  source.stop(start + seconds + 0.02);
}

function tone(on, wave, hertz, to) {
  const source = on.createOscillator();
  source.type = wave;
  source.frequency.value = hertz;
  source.connect(to);
  return source;
}

function noise(on, hertz, to) {
  hiss ??= hissing(on);
  const source = on.createBufferSource();
  source.buffer = hiss;
  const band = on.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = hertz;
  band.Q.value = 0.9;
  source.connect(band).connect(to);
  return source;
}

function hissing(on) {
  const buffer = on.createBuffer(1, on.sampleRate / 2, on.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
