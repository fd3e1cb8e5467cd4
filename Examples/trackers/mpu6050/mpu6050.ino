// Makes an Arduino with an MPU-6050 a tracker: one row of text per sample, a hundred times a second, at 115200 baud.
// The rows are those of Documentation/reference/tracker-protocol.md: raw measurements, which Proscenium fuses itself.
//
// Wiring: VCC, GND, SDA, SCL. Board: its x to the front, y to the left, z up; if it sits otherwise, say so with
// `mount=` or let `proscenium tracker calibrate` find out. Listen with `proscenium track --head serial:auto`.

#include <Arduino.h>
#include <Wire.h>

const uint8_t sensor = 0x68;                 // AD0 low; 0x69 with AD0 high.
const uint32_t period = 10000;               // µs between samples.
const float radians_per_step = 0.017453293 / 32.8;  // ±1000 °/s: 32.8 steps per °/s.
const float force_per_step = 9.80665 / 8192;        // ±4 g: 8192 steps per g.

uint32_t count = 0;      // Rows sent; wraps at 2^32 by itself.
uint32_t last_micros = 0;
uint32_t wraps = 0;      // micros() begins anew every 71.6 minutes.
uint32_t next_sample = 0;

char row[128];
uint8_t length = 0;

void begin_row(const char *word) {
  length = 0;
  while (*word) row[length++] = *word++;
}

void add_number(uint64_t value) {
  char digits[21];
  uint8_t used = 0;
  do {
    digits[used++] = '0' + value % 10;
    value /= 10;
  } while (value);
  row[length++] = ',';
  while (used) row[length++] = digits[--used];
}

void add_decimal(float value) {
  row[length++] = ',';
  dtostrf(value, 1, 5, row + length);
  while (row[length]) length++;
}

// Ends the row with its checksum: all bytes before the star, exclusive or, in hexadecimal.
void send_row() {
  uint8_t sum = 0;
  for (uint8_t i = 0; i < length; i++) sum ^= row[i];
  const char *digits = "0123456789ABCDEF";
  row[length++] = '*';
  row[length++] = digits[sum >> 4];
  row[length++] = digits[sum & 15];
  row[length++] = '\n';
  Serial.write((const uint8_t *)row, length);
}

void set_register(uint8_t name, uint8_t value) {
  Wire.beginTransmission(sensor);
  Wire.write(name);
  Wire.write(value);
  Wire.endTransmission();
}

int16_t read_number() {
  uint8_t high = Wire.read();
  uint8_t low = Wire.read();
  return (int16_t)((uint16_t)high << 8 | low);
}

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Wire.setClock(400000);
  set_register(0x6B, 0x01);  // Awake, on the gyroscope's clock.
  set_register(0x1A, 0x03);  // Low pass at 44 Hz, 5 ms of delay.
  set_register(0x1B, 0x10);  // ±1000 °/s.
  set_register(0x1C, 0x08);  // ±4 g.
  next_sample = micros();
}

void loop() {
  if ((int32_t)(micros() - next_sample) < 0) return;
  next_sample += period;

  uint32_t now = micros();
  if (now < last_micros) wraps++;
  last_micros = now;
  uint64_t nanoseconds = ((uint64_t)wraps << 32 | now) * 1000;

  Wire.beginTransmission(sensor);
  Wire.write(0x3B);  // Acceleration, temperature and rate, 14 bytes.
  if (Wire.endTransmission(false) != 0 || Wire.requestFrom((int)sensor, 14) != 14) return;  // Not connected: nothing is sent.
  float force[3], rate[3];
  for (uint8_t i = 0; i < 3; i++) force[i] = read_number() * force_per_step;
  read_number();  // Temperature.
  for (uint8_t i = 0; i < 3; i++) rate[i] = read_number() * radians_per_step;

  if (count % 100 == 0) {
    begin_row("device,mpu6050");  // Name each of yours differently: what is remembered goes by it.
    send_row();
  }
  begin_row("imu");
  add_number(count++);
  add_number(nanoseconds);
  for (uint8_t i = 0; i < 3; i++) add_decimal(rate[i]);
  for (uint8_t i = 0; i < 3; i++) add_decimal(force[i]);
  send_row();
}
