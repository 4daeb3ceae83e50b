import t from 'tap';
import { serveSite } from '#api/services/load/site-bus.ts';
import { loadSite } from '#api/test/support/load-site.ts';
import { openBus } from '#shared/bus/open.ts';
import { settledPlan } from '#shared/domain/load/what-if.ts';
