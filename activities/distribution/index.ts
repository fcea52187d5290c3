// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { changeAppointment, createAppointment, expireAppointment, readAppointment } from './appointments.ts';

export const distributionActivities = (deps: Deps) => ({
  createAppointment: createAppointment(deps),
  changeAppointment: changeAppointment(deps),
  expireAppointment: expireAppointment(deps),
  readAppointment: readAppointment(deps),
});
