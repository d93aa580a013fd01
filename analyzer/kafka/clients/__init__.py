"""Client frameworks that own transactional ids: what is known of each, and by what several ids together hint at one."""
