// A small made-up list of sanctioned parties, for trying out screening. No entry is a real person or business;
// operators load the lists that apply to them.
import type { SanctionsEntry } from '../../../domain/submission/sanctions.ts';

export const SANCTIONS_ENTRIES: readonly SanctionsEntry[] = [
  { id: 'SAMPLE-0001', name: 'Blackreef Maritime Holdings Ltd', program: 'SAMPLE-SHIPPING' },
  { id: 'SAMPLE-0002', name: 'Ostrava Volkograd Arms Export', program: 'SAMPLE-ARMS' },
  { id: 'SAMPLE-0003', name: 'Zarqand Petroleum Trading Company', program: 'SAMPLE-OIL' },
  { id: 'SAMPLE-0004', name: 'Ivan Testovich Sanktsionov', program: 'SAMPLE-PERSONS' },
  { id: 'SAMPLE-0005', name: 'Maria Bloqueada Ejemplo', program: 'SAMPLE-PERSONS' },
  { id: 'SAMPLE-0006', name: 'Sanctioned Test Company', program: 'SAMPLE-TEST' },
];
