ALTER TABLE `device` ADD `namespace_id` integer;--> statement-breakpoint
ALTER TABLE `device` ADD `forward` text;--> statement-breakpoint
ALTER TABLE `device` ADD `sealed` text;--> statement-breakpoint
CREATE INDEX `device_forward` ON `device` (`namespace_id`) WHERE "device"."namespace_id" is not null;